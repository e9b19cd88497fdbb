#pragma once
// The pieces that snow broke into.

#include <vector>

#include "common/cache/particle_frame.h"

namespace firn {

/// Shares of the mass of the pieces of solid snow, largest first. A particle is solid where its volume has grown to
/// less than 1.5 times, J = det F_E J_P < 1.5. Solid particles that are at most 1.25 dx apart belong to one piece.
std::vector<double> solidPieces(const ParticleFrame& frame);

}  // namespace firn
