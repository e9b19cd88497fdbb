#pragma once
// Leaves of the grid: cubes of 8^3 nodes. Node (x, y, z) of a leaf is at 64 x + 8 y + z, with four floats each.

#include <array>

namespace firn {

constexpr int leafSize = 8;  // nodes along an edge
constexpr int nodesPerLeaf = leafSize * leafSize * leafSize;
constexpr int floatsPerLeaf = 4 * nodesPerLeaf;

/// A leaf and its forward neighbours, as places in a list of leaves: bit 0 = +x, bit 1 = +y, bit 2 = +z neighbour; -1
/// where kernels that begin in the leaf do not reach.
using LeafNeighbours = std::array<int, 8>;

}  // namespace firn
