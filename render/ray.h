#pragma once
// A ray in world space, metres.

#include <limits>

#include "common/math.h"

namespace firn {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Ray {
    Vec3f origin = Vec3f::Zero();
    Vec3f direction = Vec3f::UnitZ();  // unit length
    float time = 0;                    // position in the shutter's interval: 0 where it opens, 1 where it closes

    Vec3f at(float t) const { return origin + t * direction; }
};

}  // namespace firn
