#pragma once
// Bodies that are faster than a shot means.

#include <string>
#include <vector>

#include "common/body/body.h"
#include "common/scene/scene.h"

namespace firn {

/// A remark on each body that moves with more than 100 m/s: a key, a file of a sequence or the scale is likely to be
/// wrong, and a substep is as short as the body is fast. Looks four times per frame, at no more than 384 times, and
/// once between two keys.
std::vector<std::string> remarksOnFastBodies(const Scene& scene, const std::vector<Body>& bodies);

}  // namespace firn
