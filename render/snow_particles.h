#pragma once
// What rendering needs of the particles of a frame.

#include <cstdint>
#include <span>
#include <vector>

#include "common/cache/particle_frame.h"
#include "common/math.h"

namespace firn {

/// Puffs of powder in the air (sim/puffs.h).
struct PowderPuffs {
    std::vector<Vec3d> position_m;
    std::vector<Vec3f> velocity_m_s;
    std::vector<float> radius_m;
    std::vector<float> mass_kg;
    std::vector<std::uint8_t> material;  // index of the snow region
    std::vector<std::uint32_t> id;

    std::size_t size() const { return position_m.size(); }
};

struct SnowParticles {
    int frame = 0;
    double dx_m = 0;  // solver's node spacing
    // One entry per particle, all of the same length:
    std::vector<Vec3d> position_m;
    std::vector<Vec3f> velocity_m_s;
    std::vector<float> mass_kg;
    std::vector<float> volume0_m3;  // at rest
    std::vector<float> stretch;     // det F_p: volume now over that at rest
    std::vector<std::uint32_t> id;
    std::vector<std::uint8_t> material;  // index of the snow region

    PowderPuffs powder;  // beside the particles

    std::size_t size() const { return position_m.size(); }

    /// Moves particles and powder with their velocities, each for a time of its own in the interval (s), which its id
    /// gives. Times may be negative. They are so short that velocities do not change.
    void advance(double least_s, double most_s);

    /// Adds the particles of `more`, but not its powder.
    void append(const SnowParticles& more);
    /// Adds these particles of `more`.
    void append(const SnowParticles& more, std::span<const std::uint32_t> rows);
};

/// The particles and the powder of a frame.
SnowParticles snowParticles(ParticleFrame frame);

}  // namespace firn
