#pragma once
// Which particles touch which leaves: particles sorted by the leaf in which their kernel begins and by cell within it.
// A particle in cell c reaches the nodes c-1 .. c+2; its base node c-1 lies in one leaf, and the rest of its kernel in
// that leaf or its forward neighbours, at most eight leaves in all. The order depends only on the positions and on the
// previous order, never on threads.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "common/math.h"
#include "sim/particles.h"
#include "sim/simd/leaf.h"

namespace firn {

/// The order of leaves and blocks.
inline bool originBefore(const Vec3i& a, const Vec3i& b)
{
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

/// The particles whose kernels begin in one leaf.
struct Block {
    Vec3i origin;             // index of the leaf's first node
    std::uint32_t first = 0;  // into Order::index
    std::uint32_t count = 0;
    LeafNeighbours leaves{};  // of the grid
    std::array<bool, 3> reaches_forward{};

    int colour() const { return (origin.x() >> 3 & 1) | (origin.y() >> 3 & 1) << 1 | (origin.z() >> 3 & 1) << 2; }
};

struct Order {
    std::vector<std::uint32_t> index;         // sorted position -> particle
    std::vector<std::uint16_t> cell;          // base node within the leaf: 64 x + 8 y + z
    std::vector<Block> blocks;                // by origin
    std::array<std::vector<int>, 8> colours;  // blocks by parity: those of one colour share no node

    void build(const Particles& particles);
    std::size_t bytes() const;
};

}  // namespace firn
