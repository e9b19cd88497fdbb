#pragma once
// Rays that are tracked together.

#include "render/lanes.h"

namespace firn {

/// Rays in index space.
struct RayBatch {
    int count = 0;
    VectorColumn origin, direction;
    Column<float> t_max;
    Column<float> depth;        // optical depth of the majorant to the first tentative collision
    Column<std::uint64_t> key;  // of the ray's random numbers

    explicit RayBatch(int size) : origin(size), direction(size), t_max(size), depth(size), key(size) {}
};

}  // namespace firn
