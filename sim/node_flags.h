#pragma once
// One bit for each node of the grid.

#include <bitset>
#include <vector>

#include "sim/simd/leaf.h"

namespace firn {

/// By leaf of the grid, and by node of the leaf.
using NodeFlags = std::vector<std::bitset<nodesPerLeaf>>;

}  // namespace firn
