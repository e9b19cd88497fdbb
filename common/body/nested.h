#pragma once
// Finds bodies that are hidden inside others.

#include <cstddef>
#include <utility>
#include <vector>

#include "common/body/body.h"

namespace firn {

/// Pairs of bodies (inner, outer) of which the inner one is wholly inside the outer one at a time: each vertex of its
/// surface is inside a piece of the other or on its surface.
std::vector<std::pair<std::size_t, std::size_t>> nestedBodies(const std::vector<Body>& bodies, double time_s);

}  // namespace firn
