#pragma once
// Bodies that never come near snow: their scale, place or axes are surely wrong.

#include <string>
#include <vector>

#include "common/body/body.h"

namespace firn {

/// A sentence for each moving body that stays, with all that it carries (of `bodies`, those that snow collides with),
/// away from all simulated snow for the whole shot: more than 1 m, and farther than snow flies at its first velocity.
std::vector<std::string> remarksOnFarBodies(const Scene& scene, const std::vector<Body>& bodies);

}  // namespace firn
