#pragma once
// Places in a cube of a lattice, numbered along z first, then y, then x.

#include "common/math.h"

namespace firn {

/// The coordinates of place `i` in a cube of n^3 places.
inline Vec3i cubeCoordinates(int i, int n) { return {i / (n * n), i / n % n, i % n}; }

/// The inverse.
inline std::size_t cubeIndex(const Vec3i& place, int n)
{
    const int i = (place.x() * n + place.y()) * n + place.z();
    return static_cast<std::size_t>(i);
}

}  // namespace firn
