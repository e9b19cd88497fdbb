#pragma once
// How much snow a ball of snow picks up while it rolls.

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "common/cache/particle_frame.h"

namespace firn {

/// The ball is the first region of the scene. In the first frame it is whole.
class RollingBall {
public:
    explicit RollingBall(const ParticleFrame& first);

    struct State {
        double moved_m = 0;  // of the centre, since the first frame
        double speed_m_s = 0;
        double slip = 0;            // speed over rate of turning and radius in the first frame
        double own = 0, other = 0;  // snow of the ball, and other snow, that turns with it; over the ball's first mass
    };
    /// Snow turns with the ball if it has moved by more than half a radius since the first frame, lies within 2.5 radii
    /// of the centre, and has the velocity of the rigid motion of the ball's core to a third of its speed.
    State at(const ParticleFrame& frame) const;

private:
    std::unordered_map<std::uint32_t, Vec3d> m_places_m;  // of all particles in the first frame, by id
    std::unordered_set<std::uint32_t> m_core;             // ids
    Vec3d m_center_m = Vec3d::Zero();
    double m_radius_m = 0, m_mass_kg = 0;
};

}  // namespace firn
