#pragma once
// Biovision hierarchy (BVH): a skeleton and its joint angles in each frame, as stored in the file.
//
//     HIERARCHY                       MOTION
//     ROOT name {                     Frames: n
//       OFFSET x y z                  Frame Time: seconds
//       CHANNELS k name…              one line per frame: the values of all channels in the order of the joints
//       JOINT name { … }
//       End Site { OFFSET x y z } }

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "common/math.h"

namespace firn {

/// 0 to 2: position along x, y, z; 3 to 5: rotation about x, y, z.
using BvhChannel = int;

struct BvhJoint {
    std::string name;  // of an end site: its parent's with " end"
    int parent = -1;   // always lower than the joint's own index
    bool is_end = false;
    Vec3d offset = Vec3d::Zero();      // from the parent, in the file's units
    std::vector<BvhChannel> channels;  // in the order in which they are applied, outermost first
    int first_value = 0;               // of the first channel, within a frame
};

struct Bvh {
    std::vector<BvhJoint> joints;
    int channels = 0;
    int frames = 0;
    double frame_time_s = 0;
    std::vector<double> values;  // frames * channels; degrees, and the file's units

    double value(int frame, int channel) const
    {
        return values[static_cast<std::size_t>(frame) * static_cast<std::size_t>(channels) + channel];
    }
};

/// Throws Error(File) with the line number if the text is not a BVH or has more than `bvhJointLimit` joints. If the
/// file is cut short, the message gives the number of frames found and expected. `file` is used in messages only.
Bvh parseBvh(const std::filesystem::path& file, const std::string& text);

/// Reads the file and parses it. Also throws Error(File) if the file cannot be read.
Bvh loadBvh(const std::filesystem::path& file);

constexpr int bvhJointLimit = 2048;
constexpr long bvhFrameLimit = 1'000'000;

}  // namespace firn
