#include "common/body/placed_clip.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace firn {
namespace {

class JointMotion final : public Motion {
public:
    JointMotion(std::shared_ptr<const PlacedClip> clip, int joint, const Pose& local)
        : m_clip(std::move(clip)), m_joint(joint), m_local(local)
    {
    }
    Pose pose(double time_s) const override { return m_clip->joint(m_joint, time_s) * m_local; }
    bool isStatic() const override { return m_clip->clip().frames() == 1; }

private:
    std::shared_ptr<const PlacedClip> m_clip;
    int m_joint;
    Pose m_local;
};

class ToeMotion final : public Motion {
public:
    ToeMotion(std::shared_ptr<const PlacedClip> clip, int joint, const ToeHinge& toes)
        : m_clip(std::move(clip)), m_joint(joint), m_toes(toes)
    {
    }
    Pose pose(double time_s) const override
    {
        const Pose foot = m_clip->joint(m_joint, time_s) * m_toes.stand;
        const double pitch = -std::asin(std::clamp((foot.rotation * Vec3d::UnitZ()).y(), -1.0, 1.0));
        const Vec3d ball = foot.toWorld(Vec3d(0, 0, m_toes.hinge.z()));
        // The tip touches the ground when the sine of the toes' pitch is this height.
        const double height = std::clamp((ball.y() - m_clip->groundHeight_m()) / m_toes.length_m, 0.0, 1.0);
        const double bend = std::clamp(pitch - std::asin(height), 0.0, pi / 3);
        const Quatd turn(Eigen::AngleAxisd(-bend, Vec3d::UnitX()));
        return foot * Pose{turn, m_toes.hinge - turn * m_toes.hinge};
    }
    bool isStatic() const override { return m_clip->clip().frames() == 1; }

private:
    std::shared_ptr<const PlacedClip> m_clip;
    int m_joint;
    ToeHinge m_toes;
};

std::uint64_t nextSerial()
{
    static std::atomic<std::uint64_t> count{0};
    return ++count;
}

}  // namespace

PlacedClip::PlacedClip(const Clip& clip, const Pose& placement, const Ground& ground, double timeOffset_s)
    : m_clip(clip), m_placement(placement), m_ground(ground), m_timeOffset_s(timeOffset_s), m_serial(nextSerial())
{
}

Pose PlacedClip::joint(int index, double time_s) const
{
    struct Entry {
        std::uint64_t serial = 0;
        double time_s = 0;
        std::vector<Pose> poses;
    };
    thread_local std::array<Entry, 8> entries;
    thread_local std::size_t oldest = 0;
    for (const Entry& entry : entries)
        if (entry.serial == m_serial && entry.time_s == time_s) return entry.poses[index];

    Entry& entry = entries[oldest];
    oldest = (oldest + 1) % entries.size();
    m_clip.pose(time_s + m_timeOffset_s, entry.poses);
    const Vec3d root = entry.poses[0].translation;
    const Pose placement{m_placement.rotation,
                         m_placement.translation - Vec3d(0, m_ground.height_m + m_ground.slope.dot(root), 0)};
    for (Pose& pose : entry.poses) pose = placement * pose;
    entry.serial = m_serial;
    entry.time_s = time_s;
    return entry.poses[index];
}

std::shared_ptr<const Motion> makeJointMotion(std::shared_ptr<const PlacedClip> clip, int joint, const Pose& local)
{
    return std::make_shared<JointMotion>(std::move(clip), joint, local);
}

std::shared_ptr<const Motion> makeToeMotion(std::shared_ptr<const PlacedClip> clip, int joint, const ToeHinge& toes)
{
    return std::make_shared<ToeMotion>(std::move(clip), joint, toes);
}

}  // namespace firn
