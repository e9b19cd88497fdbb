#pragma once
// The right side of a level view.

#include "common/math.h"

namespace firn {

/// The horizontal unit vector to the right of one who looks along `forward` with y up; x for a view straight up or
/// down.
inline Vec3d levelRight(const Vec3d& forward)
{
    const Vec3d right = forward.cross(Vec3d::UnitY());
    return right.norm() < 1e-6 ? Vec3d(Vec3d::UnitX()) : Vec3d(right.normalized());
}

}  // namespace firn
