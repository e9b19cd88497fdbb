#pragma once
// Where bodies leave snow hardly any room above the ground.

#include <string>
#include <vector>

#include "common/body/body.h"
#include "common/scene/scene.h"

namespace firn {

/// A remark on each moving body that, where snow lies, comes down to less than 1.6 cells above a plane or
/// into it: snow between both is thrown out, or pressed to ice, which takes many short steps. Looks at the surface in
/// at most 96 frames of the shot.
std::vector<std::string> remarksOnNarrowGaps(const Scene& scene, const std::vector<Body>& bodies);

}  // namespace firn
