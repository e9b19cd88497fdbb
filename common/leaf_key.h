#pragma once
// Leaves of 8^3 nodes as 64-bit keys: 21 bits per axis, x highest. Keys sort as leaves do by x, then y, then z.

#include <cstdint>

#include "common/math.h"

namespace firn {

using LeafKey = std::uint64_t;

constexpr int leafKeyBits = 21;                       // per axis
constexpr int leafKeyLimit = 1 << (leafKeyBits - 1);  // leaf coordinates are in [-limit, limit): 8 km at 1 mm

/// The key of the leaf with these coordinates, which count leaves, not nodes.
inline LeafKey leafKey(int x, int y, int z)
{
    constexpr std::int64_t bias = leafKeyLimit;
    return static_cast<LeafKey>(x + bias) << (2 * leafKeyBits) | static_cast<LeafKey>(y + bias) << leafKeyBits |
           static_cast<LeafKey>(z + bias);
}
inline LeafKey leafKey(const Vec3i& leaf) { return leafKey(leaf.x(), leaf.y(), leaf.z()); }

/// The coordinates of the leaf with this key.
inline Vec3i leafOfKey(LeafKey key)
{
    const auto axis = [key](int shift) {
        return static_cast<int>(key >> shift & ((LeafKey{1} << leafKeyBits) - 1)) - leafKeyLimit;
    };
    return {axis(2 * leafKeyBits), axis(leafKeyBits), axis(0)};
}

}  // namespace firn
