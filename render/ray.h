#pragma once
// A ray in world space, metres.

#include "common/math.h"

namespace firn {

struct Ray {
    Vec3f origin = Vec3f::Zero();
    Vec3f direction = Vec3f::UnitZ();  // unit length

    Vec3f at(float t) const { return origin + t * direction; }
};

}  // namespace firn
