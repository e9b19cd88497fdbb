#pragma once
// Luminance of linear Rec. 709 (ITU-R BT.709).

#include <array>

#include "common/math.h"

namespace firn {

/// Weights of red, green and blue.
template <class Real>
constexpr std::array<Real, 3> luminanceWeights{static_cast<Real>(0.2126), static_cast<Real>(0.7152),
                                               static_cast<Real>(0.0722)};

template <class Real>
constexpr Real luminance(Real red, Real green, Real blue)
{
    constexpr std::array<Real, 3> weights = luminanceWeights<Real>;
    return weights[0] * red + (weights[1] * green + weights[2] * blue);
}

inline float luminance(const Vec3f& color) { return luminance(color.x(), color.y(), color.z()); }

}  // namespace firn
