#include "common/compare/convolution.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace firn {

namespace {

int radiusOf(const ConvolutionWeights& kernel)
{
    assert(kernel.size() % 2 == 1);
    return static_cast<int>(kernel.size() / 2);
}

void addScaled(float* out, const float* in, float weight, int count)
{
    for (int x = 0; x < count; ++x) out[x] += weight * in[x];
}

}  // namespace

PixelPlane::PixelPlane(int width_px, int height_px)
    : width(width_px),
      height(height_px),
      values(static_cast<std::size_t>(width_px) * static_cast<std::size_t>(height_px))
{
}

PixelPlane alongRows(const PixelPlane& in, const ConvolutionWeights& kernel)
{
    const int radius = radiusOf(kernel);
    PixelPlane out(in.width, in.height);
    tbb::parallel_for(0, in.height, [&](int y) {
        std::vector<float> padded(static_cast<std::size_t>(in.width + 2 * radius));
        std::fill_n(padded.begin(), radius, in.row(y)[0]);
        std::copy_n(in.row(y), in.width, padded.begin() + radius);
        std::fill_n(padded.end() - radius, radius, in.row(y)[in.width - 1]);
        for (std::size_t k = 0; k < kernel.size(); ++k) addScaled(out.row(y), padded.data() + k, kernel[k], in.width);
    });
    return out;
}

PixelPlane alongColumns(const PixelPlane& in, const ConvolutionWeights& kernel)
{
    const int radius = radiusOf(kernel);
    PixelPlane out(in.width, in.height);
    tbb::parallel_for(0, in.height, [&](int y) {
        for (std::size_t k = 0; k < kernel.size(); ++k) {
            const int from = std::clamp(y + static_cast<int>(k) - radius, 0, in.height - 1);
            addScaled(out.row(y), in.row(from), kernel[k], in.width);
        }
    });
    return out;
}

ConvolutionWeights gaussianKernel(double sigma_px, int radius_px)
{
    constexpr double reach = 6.6;  // exp(-6.6² / 2) = 3.5e-10
    const int radius = std::min(radius_px, static_cast<int>(std::ceil(reach * sigma_px)));
    std::vector<double> weights;
    for (int x = -radius; x <= radius; ++x) weights.push_back(std::exp(-0.5 * x * x / (sigma_px * sigma_px)));
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    ConvolutionWeights kernel;
    for (const double weight : weights) kernel.push_back(static_cast<float>(weight / sum));
    return kernel;
}

}  // namespace firn
