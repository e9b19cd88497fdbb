#include "tests/sim/rolling_ball.h"

#include <algorithm>
#include <vector>

namespace firn {

namespace {

struct RigidMotion {
    Vec3d center_m = Vec3d::Zero(), velocity_m_s = Vec3d::Zero(), spin_rad_s = Vec3d::Zero();
    Vec3d velocity(const Vec3d& x) const { return velocity_m_s + spin_rad_s.cross(x - center_m); }
};

/// The motion with the linear and angular momentum of these particles.
RigidMotion motionOf(const ParticleFrame& frame, const std::vector<std::size_t>& particles)
{
    RigidMotion result;
    double mass = 0;
    for (const std::size_t i : particles) {
        const double m = static_cast<double>(frame.mass_kg[i]);
        mass += m;
        result.center_m += m * frame.position_m[i];
        result.velocity_m_s += m * frame.velocity_m_s[i].cast<double>();
    }
    result.center_m /= mass;
    result.velocity_m_s /= mass;
    Mat3d inertia = Mat3d::Zero();
    Vec3d momentum = Vec3d::Zero();
    for (const std::size_t i : particles) {
        const double m = static_cast<double>(frame.mass_kg[i]);
        const Vec3d r = frame.position_m[i] - result.center_m;
        inertia += m * (r.squaredNorm() * Mat3d::Identity() - r * r.transpose());
        momentum += m * r.cross(frame.velocity_m_s[i].cast<double>());
    }
    result.spin_rad_s = inertia.inverse() * momentum;
    return result;
}

}  // namespace

RollingBall::RollingBall(const ParticleFrame& first)
{
    constexpr double core = 0.6;  // of the radius
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < first.size(); ++i) {
        m_places_m[first.id[i]] = first.position_m[i];
        if (first.material[i] != 0) continue;
        own.push_back(i);
        m_mass_kg += static_cast<double>(first.mass_kg[i]);
        m_center_m += static_cast<double>(first.mass_kg[i]) * first.position_m[i];
    }
    m_center_m /= m_mass_kg;
    const auto distance_m = [&](std::size_t i) { return (first.position_m[i] - m_center_m).norm(); };
    for (const std::size_t i : own) m_radius_m = std::max(m_radius_m, distance_m(i));
    for (const std::size_t i : own)
        if (distance_m(i) < core * m_radius_m) m_core.insert(first.id[i]);
}

RollingBall::State RollingBall::at(const ParticleFrame& frame) const
{
    std::vector<std::size_t> core;
    for (std::size_t i = 0; i < frame.size(); ++i)
        if (m_core.contains(frame.id[i])) core.push_back(i);
    const RigidMotion motion = motionOf(frame, core);
    State state;
    state.moved_m = (motion.center_m - m_center_m).norm();
    state.speed_m_s = motion.velocity_m_s.norm();
    state.slip = state.speed_m_s / (motion.spin_rad_s.norm() * m_radius_m);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const Vec3d& x = frame.position_m[i];
        const auto start = m_places_m.find(frame.id[i]);
        if (start == m_places_m.end() || (x - motion.center_m).norm() > 2.5 * m_radius_m) continue;
        if ((x - start->second).norm() < m_radius_m / 2) continue;
        if ((frame.velocity_m_s[i].cast<double>() - motion.velocity(x)).norm() > state.speed_m_s / 3) continue;
        (frame.material[i] == 0 ? state.own : state.other) += static_cast<double>(frame.mass_kg[i]) / m_mass_kg;
    }
    return state;
}

}  // namespace firn
