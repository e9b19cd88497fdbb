#pragma once
// Particles as the cache holds them.

#include "common/cache/particle_frame.h"
#include "sim/particles.h"

namespace firn {

/// Appends particles to a frame: positions in metres, state 1 where asleep, 0 where moving.
void appendToFrame(const Particles& particles, double h, bool asleep, ParticleFrame& frame);

}  // namespace firn
