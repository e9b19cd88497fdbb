#pragma once
// Particles as the cache holds them.

#include "common/cache/particle_frame.h"
#include "sim/particles.h"

namespace firn {

/// Fills the frame with the particles of these rows. The first moving.size() rows are the moving particles, the
/// following ones the sleeping particles. Positions are in metres; state is 1 for sleeping particles, 0 for moving
/// ones.
void readParticles(const Particles& moving, const Particles& asleep, double h, std::span<const std::uint32_t> rows,
                   ParticleFrame& frame);

}  // namespace firn
