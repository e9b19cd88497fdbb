#pragma once
// Separable convolution of a plane of values. Outside of the plane, the value of its nearest pixel is used.

#include <vector>

namespace firn {

/// Row by row from the top left.
struct PixelPlane {
    int width = 0;
    int height = 0;
    std::vector<float> values;

    PixelPlane() = default;
    PixelPlane(int width_px, int height_px);

    float* row(int y) { return values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width); }
    const float* row(int y) const
    {
        return values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
    }
};

/// Weights at -radius … radius; an odd number of them. Taken as correlation: out(x) = sum of w(k) in(x + k).
using ConvolutionWeights = std::vector<float>;

PixelPlane alongRows(const PixelPlane& in, const ConvolutionWeights& kernel);
PixelPlane alongColumns(const PixelPlane& in, const ConvolutionWeights& kernel);

/// Samples of exp(-x² / 2 sigma²), sum 1, out to `radius` or to where weights no longer reach float precision.
ConvolutionWeights gaussianKernel(double sigma_px, int radius_px);

}  // namespace firn
