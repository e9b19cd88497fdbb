#pragma once
// Particles as the cache holds them.

#include "common/cache/particle_frame.h"
#include "sim/particles.h"

namespace firn {

/// Makes the frame's columns those of the given particles, which count through the moving ones and on through those
/// that sleep: positions in metres, state 1 where asleep, 0 where moving.
void readParticles(const Particles& moving, const Particles& asleep, double h, std::span<const std::uint32_t> rows,
                   ParticleFrame& frame);

}  // namespace firn
