#include "common/body/clip.h"

#include <algorithm>
#include <cmath>

#include "common/body/text_input.h"

namespace firn {
namespace {

Quatd rotationOf(const Bvh& bvh, int frame, const BvhJoint& joint)
{
    Quatd rotation = Quatd::Identity();
    for (std::size_t c = 0; c < joint.channels.size(); ++c) {
        if (joint.channels[c] < 3) continue;
        const double angle = bvh.value(frame, joint.first_value + static_cast<int>(c)) * pi / 180;
        rotation = rotation * Quatd(Eigen::AngleAxisd(angle, Vec3d::Unit(joint.channels[c] - 3)));
    }
    return rotation;
}

bool hasPosition(const BvhJoint& joint)
{
    return std::any_of(joint.channels.begin(), joint.channels.end(), [](BvhChannel c) { return c < 3; });
}

/// Mean over the joints of the angle between the frame and the rest pose.
double meanTurn(const Bvh& bvh, int frame)
{
    double sum = 0;
    for (const BvhJoint& joint : bvh.joints)
        if (joint.parent >= 0) sum += rotationOf(bvh, frame, joint).angularDistance(Quatd::Identity());
    return sum / static_cast<double>(bvh.joints.size());
}

/// The largest turn of a joint from one frame to the next.
double largestStep(const Bvh& bvh, int frame)
{
    double largest = 0;
    for (const BvhJoint& joint : bvh.joints)
        if (joint.parent >= 0)
            largest =
                std::max(largest, rotationOf(bvh, frame, joint).angularDistance(rotationOf(bvh, frame + 1, joint)));
    return largest;
}

/// The number of calibration frames that a converter put at the start: one frame in the rest pose, unlike all others,
/// and the jump from it into the motion, which filters spread over a few frames.
int calibrationFrames(const Bvh& bvh)
{
    constexpr double degree = pi / 180;
    constexpr int most = 12;
    if (bvh.frames < 3 * most || meanTurn(bvh, 0) > 2 * degree || meanTurn(bvh, bvh.frames / 2) < 5 * degree) return 0;
    std::vector<double> steps;
    for (int f = most; f + 1 < bvh.frames; f += std::max(1, bvh.frames / 2000)) steps.push_back(largestStep(bvh, f));
    std::sort(steps.begin(), steps.end());
    const double usual = steps[steps.size() * 95 / 100];
    int frames = 0;
    while (frames < most && largestStep(bvh, frames) > 2 * usual) ++frames;
    return frames;
}

}  // namespace

Clip::Clip(const Bvh& bvh, const ClipOptions& options)
    : m_frame_s(options.fps > 0 ? 1 / options.fps : bvh.frame_time_s), m_loop(options.loop)
{
    const Mat3d upright = yUpFrom(options.up_axis);
    for (const BvhJoint& joint : bvh.joints) {
        m_joints.push_back({joint.name, joint.parent, joint.is_end, options.scale * (upright * joint.offset)});
        if (hasPosition(joint)) m_moving.push_back({static_cast<int>(m_joints.size()) - 1, {}});
    }
    const int skipped = calibrationFrames(bvh);
    m_frames = bvh.frames - skipped;
    m_rotations.resize(m_joints.size() * static_cast<std::size_t>(m_frames));
    for (Moving& moving : m_moving) moving.positions.resize(m_frames);
    for (int f = 0; f < m_frames; ++f) readFrame(bvh, f + skipped, f, options);
    m_loop = m_loop && m_frames > 1;
    if (m_loop) closeLoop();
}

void Clip::readFrame(const Bvh& bvh, int source, int frame, const ClipOptions& options)
{
    const Mat3d upright = yUpFrom(options.up_axis);
    const Quatd turn(upright);
    for (std::size_t j = 0; j < m_joints.size(); ++j)
        rotation(frame, static_cast<int>(j)) = turn * rotationOf(bvh, source, bvh.joints[j]) * turn.conjugate();
    for (Moving& moving : m_moving) {
        const BvhJoint& joint = bvh.joints[moving.joint];
        Vec3d position = joint.offset;
        for (std::size_t c = 0; c < joint.channels.size(); ++c)
            if (joint.channels[c] < 3)
                position[joint.channels[c]] = bvh.value(source, joint.first_value + static_cast<int>(c));
        moving.positions[frame] = options.scale * (upright * position);
    }
}

void Clip::closeLoop()
{
    const int last = m_frames - 1;
    const int blend = std::clamp(static_cast<int>(0.2 / m_frame_s), 1, std::max(1, last / 4));
    const auto weight = [&](int frame) {
        const double u = static_cast<double>(frame - (last - blend)) / blend;
        return u * u * (3 - 2 * u);
    };
    for (std::size_t i = 0; i < m_joints.size(); ++i) {
        const int j = static_cast<int>(i);
        const Quatd lacking = rotation(last, j).conjugate() * rotation(0, j);
        for (int f = last - blend + 1; f <= last; ++f)
            rotation(f, j) = (rotation(f, j) * Quatd::Identity().slerp(weight(f), lacking)).normalized();
    }
    for (Moving& moving : m_moving) {
        Vec3d lacking = moving.positions.front() - moving.positions.back();
        if (m_joints[moving.joint].parent < 0) {
            moving.carry = Vec3d(-lacking.x(), 0, -lacking.z());
            lacking = Vec3d(0, lacking.y(), 0);
        }
        for (int f = last - blend + 1; f <= last; ++f) moving.positions[f] += weight(f) * lacking;
    }
}

/// Also defined beyond both ends: a loop goes on; otherwise the path is extended straight, so that the spline does not
/// bend at its ends.
Vec3d Clip::positionAt(const Moving& moving, int frame) const
{
    const int last = m_frames - 1;
    const std::vector<Vec3d>& p = moving.positions;
    if (frame >= 0 && frame <= last) return p[frame];
    if (m_loop) return frame < 0 ? Vec3d(p[last + frame] - moving.carry) : Vec3d(p[frame - last] + moving.carry);
    return frame < 0 ? Vec3d(2 * p[0] - p[std::min(1, last)]) : Vec3d(2 * p[last] - p[std::max(last - 1, 0)]);
}

Vec3d Clip::spline(const Moving& moving, int frame, double u) const
{
    const Vec3d a = positionAt(moving, frame - 1), b = positionAt(moving, frame), c = positionAt(moving, frame + 1),
                d = positionAt(moving, frame + 2);
    // Catmull and Rom 1974, with tension 1/2.
    return b + 0.5 * u * ((c - a) + u * ((2 * a - 5 * b + 4 * c - d) + u * (3 * (b - c) + d - a)));
}

void Clip::pose(double time_s, std::vector<Pose>& poses) const
{
    const int last = m_frames - 1;
    double laps = 0, at = time_s / m_frame_s;
    if (m_loop) {
        laps = std::floor(at / last);
        at -= laps * last;
    }
    at = std::clamp(at, 0.0, static_cast<double>(last));
    const int frame = std::clamp(static_cast<int>(at), 0, std::max(last - 1, 0));
    const int next = std::min(frame + 1, last);
    const double u = at - frame;

    poses.resize(m_joints.size());
    for (std::size_t i = 0; i < m_joints.size(); ++i) {
        const int j = static_cast<int>(i);
        poses[i] = {rotation(frame, j).slerp(u, rotation(next, j)), m_joints[i].offset};
    }
    for (const Moving& moving : m_moving)
        poses[moving.joint].translation = spline(moving, frame, u) + laps * moving.carry;
    for (std::size_t i = 0; i < m_joints.size(); ++i)
        if (m_joints[i].parent >= 0) poses[i] = poses[m_joints[i].parent] * poses[i];
}

void Clip::restPose(std::vector<Pose>& poses) const
{
    poses.resize(m_joints.size());
    for (std::size_t i = 0; i < m_joints.size(); ++i) {
        poses[i] = {Quatd::Identity(), m_joints[i].offset};
        if (m_joints[i].parent >= 0) poses[i] = poses[m_joints[i].parent] * poses[i];
    }
}

}  // namespace firn
