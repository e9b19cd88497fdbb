#include "common/body/motion.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace firn {
namespace {

class StaticMotion final : public Motion {
public:
    explicit StaticMotion(const Pose& pose) : m_pose(pose) {}
    Pose pose(double) const override { return m_pose; }
    bool isStatic() const override { return true; }

private:
    Pose m_pose;
};

/// From one key to the next: rotation = from.rotation turned by share * angle about a fixed axis.
struct Segment {
    double start_s, end_s;
    Easing ease;
    Pose from, to;
    Vec3d axis;  // world
    double angle;
};

Segment segmentBetween(const BodyKey& a, const BodyKey& b)
{
    Segment s{a.time_s,
              b.time_s,
              a.ease,
              {rotationFromEuler(a.rotation_deg), a.position},
              {rotationFromEuler(b.rotation_deg), b.position},
              Vec3d::UnitX(),
              0};
    const Vec3d turn = b.rotation_deg - a.rotation_deg;
    const int turning = static_cast<int>((turn.array() != 0).count());
    if (turning == 1) {
        int which = 0;
        turn.cwiseAbs().maxCoeff(&which);
        // R = Rz Ry Rx: changing one angle turns about that axis, carried by the rotations applied after it.
        Vec3d after = a.rotation_deg;
        for (int i = 0; i <= which; ++i) after[i] = 0;
        s.axis = rotationFromEuler(after) * Vec3d::Unit(which);
        s.angle = turn[which] * pi / 180;
    } else if (turning > 1) {
        assert(turn.cwiseAbs().maxCoeff() <= 180);
        const Eigen::AngleAxisd way(s.to.rotation * s.from.rotation.conjugate());
        s.axis = way.axis();
        s.angle = way.angle() > pi ? way.angle() - 2 * pi : way.angle();
    }
    return s;
}

class KeyframeMotion final : public Motion {
public:
    explicit KeyframeMotion(const std::vector<BodyKey>& keys)
        : m_first{rotationFromEuler(keys.front().rotation_deg), keys.front().position},
          m_last{rotationFromEuler(keys.back().rotation_deg), keys.back().position}
    {
        for (std::size_t k = 0; k + 1 < keys.size(); ++k) m_segments.push_back(segmentBetween(keys[k], keys[k + 1]));
    }

    Pose pose(double time_s) const override
    {
        if (m_segments.empty() || time_s <= m_segments.front().start_s) return m_first;
        if (time_s >= m_segments.back().end_s) return m_last;
        const auto next = std::upper_bound(m_segments.begin(), m_segments.end(), time_s,
                                           [](double t, const Segment& s) { return t < s.end_s; });
        const Segment& s = *next;
        const double share = eased(s.ease, (time_s - s.start_s) / (s.end_s - s.start_s));
        return {Quatd(Eigen::AngleAxisd(share * s.angle, s.axis)) * s.from.rotation,
                s.from.translation + share * (s.to.translation - s.from.translation)};
    }

    bool isStatic() const override
    {
        return std::all_of(m_segments.begin(), m_segments.end(),
                           [](const Segment& s) { return s.angle == 0 && s.from.translation == s.to.translation; });
    }

private:
    Pose m_first, m_last;
    std::vector<Segment> m_segments;
};

class DriftingMotion final : public Motion {
public:
    DriftingMotion(std::shared_ptr<const Motion> motion, const Vec3d& velocity)
        : m_motion(std::move(motion)), m_velocity(velocity)
    {
    }
    Pose pose(double time_s) const override
    {
        Pose pose = m_motion->pose(time_s);
        pose.translation += time_s * m_velocity;
        return pose;
    }
    bool isStatic() const override { return m_velocity.isZero(0) && m_motion->isStatic(); }

private:
    std::shared_ptr<const Motion> m_motion;
    Vec3d m_velocity;
};

class AttachedMotion final : public Motion {
public:
    AttachedMotion(std::shared_ptr<const Motion> parent, std::shared_ptr<const Motion> child)
        : m_parent(std::move(parent)), m_child(std::move(child))
    {
    }
    Pose pose(double time_s) const override { return m_parent->pose(time_s) * m_child->pose(time_s); }
    bool isStatic() const override { return m_parent->isStatic() && m_child->isStatic(); }

private:
    std::shared_ptr<const Motion> m_parent, m_child;
};

}  // namespace

Quatd rotationFromEuler(const Vec3d& degrees)
{
    const Vec3d angle = degrees * (pi / 180);
    return Quatd(Eigen::AngleAxisd(angle.z(), Vec3d::UnitZ()) * Eigen::AngleAxisd(angle.y(), Vec3d::UnitY()) *
                 Eigen::AngleAxisd(angle.x(), Vec3d::UnitX()));
}

double eased(Easing ease, double u)
{
    switch (ease) {
        case Easing::Linear:
            return u;
        case Easing::Smooth:
            return u * u * (3 - 2 * u);
        case Easing::In:
            return u * u;
        case Easing::Out:
            return u * (2 - u);
        case Easing::Step:
            return u < 1 ? 0 : 1;
    }
    return u;
}

std::shared_ptr<const Motion> makeStaticMotion(const Pose& pose) { return std::make_shared<StaticMotion>(pose); }

std::shared_ptr<const Motion> makeDriftingMotion(std::shared_ptr<const Motion> motion, const Vec3d& velocity)
{
    return std::make_shared<DriftingMotion>(std::move(motion), velocity);
}

std::shared_ptr<const Motion> makeAttachedMotion(std::shared_ptr<const Motion> parent,
                                                 std::shared_ptr<const Motion> child)
{
    return std::make_shared<AttachedMotion>(std::move(parent), std::move(child));
}

std::shared_ptr<const Motion> makeKeyframeMotion(const std::vector<BodyKey>& keys)
{
    assert(!keys.empty());
    for (std::size_t k = 1; k < keys.size(); ++k) assert(keys[k].time_s > keys[k - 1].time_s);
    return std::make_shared<KeyframeMotion>(keys);
}

}  // namespace firn
