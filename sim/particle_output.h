#pragma once
// Particles as the cache holds them.

#include <functional>

#include "common/cache/particle_frame.h"
#include "sim/particles.h"
#include "sim/puffs.h"

namespace firn {

/// What a frame of the cache consists of, in the order of its rows.
struct OutputParts {
    const Particles& moving;
    const Particles& asleep;
    const std::vector<Puff>& puffs;
    std::function<Vec3d(const Puff&)> puff_velocity;  // m/s
};

/// Fills the frame with these rows of the parts. Positions are in metres; state is 0 for moving particles, 1 for
/// sleeping ones and 2 for puffs of powder. The volume of a puff is that of a ball of its radius; it has no
/// deformation.
void readParticles(const OutputParts& parts, double h, std::span<const std::uint32_t> rows, ParticleFrame& frame);

}  // namespace firn
