#pragma once
// Separable convolution of a plane of values. Outside of the plane, the value of its nearest pixel is used.

#include <vector>

namespace firn {

/// Row by row from the top left.
struct Plane {
    int width = 0;
    int height = 0;
    std::vector<float> values;

    Plane() = default;
    Plane(int width_px, int height_px);

    float* row(int y) { return values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width); }
    const float* row(int y) const
    {
        return values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
    }
};

/// Weights at -radius … radius; an odd number of them. Taken as correlation: out(x) = sum of w(k) in(x + k).
using Kernel = std::vector<float>;

Plane alongRows(const Plane& in, const Kernel& kernel);
Plane alongColumns(const Plane& in, const Kernel& kernel);

/// Samples of exp(-x² / 2 sigma²), sum 1, out to `radius` or to where weights no longer reach float precision.
Kernel gaussianKernel(double sigma_px, int radius_px);

}  // namespace firn
