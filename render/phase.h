#pragma once
// Henyey-Greenstein phase function (Henyey and Greenstein 1941):
//   p(cos) = (1 - g^2) / (4 pi (1 + g^2 - 2 g cos)^(3/2)),  cos between the directions of travel before and after.

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/math.h"
#include "render/sampler.h"

namespace firn {

/// Per steradian. |g| < 1.
inline float henyeyGreenstein(float cosTheta, float g)
{
    const float base = 1 + g * g - 2 * g * cosTheta;
    return static_cast<float>(0.25 / pi) * (1 - g * g) / (base * std::sqrt(base));
}

/// Cosine distributed as the phase function, from a uniform number in [0, 1).
inline float sampleHenyeyGreenstein(float g, float u)
{
    const float xi = 2 * u - 1;
    if (std::abs(g) < 1e-3f)
        return xi + 1.5f * g * (1 - xi * xi);  // series of the expression below, which is 0/0 at g = 0
    const float root = (1 - g * g) / (1 + g * xi);
    return std::clamp((1 + g * g - root * root) / (2 * g), -1.0f, 1.0f);
}

/// Two unit vectors that are normal to the unit vector `axis` and to each other, without branches (Duff et al. 2017).
inline std::pair<Vec3f, Vec3f> tangentsOf(const Vec3f& axis)
{
    const float sign = std::copysign(1.0f, axis.z());
    const float a = -1 / (sign + axis.z());
    const float b = axis.x() * axis.y() * a;
    return {{1 + sign * axis.x() * axis.x() * a, sign * b, -sign * axis.x()},
            {b, sign + axis.y() * axis.y() * a, -axis.y()}};
}

/// The direction at angle acos(cosTheta) from the unit vector `axis`, at azimuth 2 pi u around it.
inline Vec3f deflect(const Vec3f& axis, float cosTheta, float u)
{
    const auto [tangent, bitangent] = tangentsOf(axis);
    const float sinTheta = std::sqrt(std::max(0.0f, 1 - cosTheta * cosTheta));
    const float phi = static_cast<float>(2 * pi) * u;
    const Vec3f result = sinTheta * std::cos(phi) * tangent + sinTheta * std::sin(phi) * bitangent + cosTheta * axis;
    return result * (1.5f - 0.5f * result.squaredNorm());  // keeps the length 1 over thousands of deflections
}

}  // namespace firn
