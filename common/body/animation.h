#pragma once
// The nodes of a file at any time of the scene.

#include <vector>

#include "common/body/file_content.h"

namespace firn {

/// How time in the scene becomes time in a clip: offset_s + speed * scene time.
struct ClipTime {
    double offset_s = 0;
    double speed = 1;
    bool loop = false;
};

/// A clip of a file. Time 0 of the clip is its first key. Between keys, translations and scales are interpolated
/// linearly and rotations by slerp. Outside the keys the first and the last pose are kept, or the clip repeats: if its
/// last pose equals its first one, the last key is the first key of the next pass; otherwise one more step leads from
/// the last pose to the first.
class Animation {
public:
    /// `clip` is the number of the file's clip, or -1 for the file's pose at rest.
    Animation(const AnimatedFile& file, int clip, const ClipTime& time);

    /// The transform of each node to the file's space; `world` is resized.
    void pose(double time_s, std::vector<Affine>& world) const;

    /// Whether the node has the same transform at all times.
    bool isStill(int node) const;

    /// Length of one pass of the clip, s; 0 without a clip.
    double length_s() const { return m_length_s; }

    /// The scene times of one pass at which the nodes are at the clip's keys or half-way between two keys; time 0 only
    /// for a file at rest.
    const std::vector<double>& sampleTimes_s() const { return m_samples_s; }

private:
    double clipTime(double time_s) const;
    bool endsAsItBegins(const FileClip& clip) const;

    std::vector<FileNode> m_nodes;
    std::vector<FileTrack> m_tracks;
    std::vector<char> m_moves;  // per node: it or a node above it has a track
    double m_first_s = 0, m_length_s = 0;
    double m_gap_s = 0;  // from the last key to the next pass
    ClipTime m_time;
    std::vector<double> m_samples_s;
};

}  // namespace firn
