#include "common/body/animation.h"

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

Vec3d between(const Vec3d& a, const Vec3d& b, double share) { return a + share * (b - a); }

Eigen::Vector4d between(const Eigen::Vector4d& a, const Eigen::Vector4d& b, double share)
{
    return Quatd(a).normalized().slerp(share, Quatd(b).normalized()).coeffs();
}

/// The value at a time. After the last key it goes back to the first one within gap_s, and stays there.
template <class T>
T valueAt(const FileChannel<T>& channel, double time_s, double gap_s)
{
    const auto& times = channel.times_s;
    if (time_s <= times.front() || times.size() == 1) return channel.values.front();
    if (time_s >= times.back()) {
        if (gap_s <= 0) return channel.values.back();
        const double share = std::min((time_s - times.back()) / gap_s, 1.0);
        return between(channel.values.back(), channel.values.front(), share);
    }
    const auto next = std::upper_bound(times.begin(), times.end(), time_s) - times.begin();
    const double share = (time_s - times[next - 1]) / (times[next] - times[next - 1]);
    return between(channel.values[next - 1], channel.values[next], share);
}

/// The parts of a transform that tracks replace.
struct Parts {
    Vec3d translation, scale;
    Quatd rotation;
};

Parts partsOf(const Affine& local)
{
    Parts parts;
    parts.translation = local.translation();
    parts.scale = local.linear().colwise().norm().transpose();
    if (local.linear().determinant() < 0) parts.scale.x() = -parts.scale.x();
    const Mat3d rotation = local.linear() * parts.scale.cwiseInverse().asDiagonal();
    parts.rotation = Quatd(rotation).normalized();
    return parts;
}

Affine localAt(const FileNode& node, const FileTrack& track, double time_s, double gap_s)
{
    Parts parts = partsOf(node.local);
    if (!track.translation.times_s.empty()) parts.translation = valueAt(track.translation, time_s, gap_s);
    if (!track.scale.times_s.empty()) parts.scale = valueAt(track.scale, time_s, gap_s);
    if (!track.rotation.times_s.empty()) parts.rotation = Quatd(valueAt(track.rotation, time_s, gap_s)).normalized();
    Affine local;
    local.linear() = parts.rotation.toRotationMatrix() * parts.scale.asDiagonal();
    local.translation() = parts.translation;
    return local;
}

template <class T>
bool endsWhereItBegins(const FileChannel<T>& channel)
{
    if (channel.values.empty()) return true;
    const T &first = channel.values.front(), &last = channel.values.back();
    const double tolerance = 1e-3 * std::max(1.0, first.norm());
    // A rotation has two quaternions; those of translations differ by more than the tolerance.
    return (first - last).norm() < tolerance ||
           (std::is_same_v<T, Eigen::Vector4d> && (first + last).norm() < tolerance);
}

}  // namespace

Animation::Animation(const AnimatedFile& file, int clip, const ClipTime& time)
    : m_nodes(file.nodes), m_moves(file.nodes.size(), 0), m_time(time), m_samples_s{0}
{
    if (clip < 0) return;
    const FileClip& chosen = file.clips[clip];
    m_tracks = chosen.tracks;
    m_first_s = chosen.first_s;
    m_length_s = chosen.last_s - chosen.first_s;
    std::vector<double> keys;
    for (const FileTrack& track : m_tracks) {
        m_moves[track.node] = 1;
        for (const auto* times : {&track.translation.times_s, &track.rotation.times_s, &track.scale.times_s})
            keys.insert(keys.end(), times->begin(), times->end());
    }
    for (std::size_t n = 0; n < m_nodes.size(); ++n)
        if (m_nodes[n].parent >= 0 && m_moves[m_nodes[n].parent]) m_moves[n] = 1;
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    if (m_time.loop && keys.size() > 1 && !endsAsItBegins(chosen))
        m_gap_s = m_length_s / static_cast<double>(keys.size() - 1);
    m_length_s += m_gap_s;

    const auto sceneTime = [&](double key_s) { return (key_s - m_first_s - m_time.offset_s) / m_time.speed; };
    m_samples_s.clear();
    for (std::size_t k = 0; k < keys.size(); ++k) {
        m_samples_s.push_back(sceneTime(keys[k]));
        if (k + 1 < keys.size()) m_samples_s.push_back(sceneTime(0.5 * (keys[k] + keys[k + 1])));
    }
}

bool Animation::endsAsItBegins(const FileClip& clip) const
{
    return std::all_of(clip.tracks.begin(), clip.tracks.end(), [](const FileTrack& track) {
        return endsWhereItBegins(track.translation) && endsWhereItBegins(track.rotation) &&
               endsWhereItBegins(track.scale);
    });
}

double Animation::clipTime(double time_s) const
{
    double time = m_time.offset_s + m_time.speed * time_s;
    if (m_time.loop && m_length_s > 0) time -= m_length_s * std::floor(time / m_length_s);
    return m_first_s + std::clamp(time, 0.0, m_length_s);
}

void Animation::pose(double time_s, std::vector<Affine>& world) const
{
    world.resize(m_nodes.size());
    for (std::size_t n = 0; n < m_nodes.size(); ++n) world[n] = m_nodes[n].local;
    const double time = clipTime(time_s);
    for (const FileTrack& track : m_tracks) world[track.node] = localAt(m_nodes[track.node], track, time, m_gap_s);
    for (std::size_t n = 0; n < m_nodes.size(); ++n)
        if (m_nodes[n].parent >= 0) world[n] = world[m_nodes[n].parent] * world[n];
}

bool Animation::isStill(int node) const { return m_moves[node] == 0; }

}  // namespace firn
