#pragma once
// Differences of two images as plain numbers. All sums run over the rows in order, so the same images give the same
// bits.

#include <cstddef>
#include <string>
#include <vector>

#include "common/compare/layers.h"

namespace firn {

struct LargestDifference {
    double value = 0;     // |b - a|
    std::string channel;  // empty if the images are the same
    int x = 0, y = 0;     // pixel of the whole picture; the first in reading order
};

/// One layer of two images, over all its channels. Pixels with a value that is not finite in one of them are excluded.
struct LayerMetrics {
    std::string layer;
    std::size_t pixels = 0;  // compared
    std::size_t not_finite_a = 0, not_finite_b = 0;
    std::size_t not_finite_in_one = 0;  // pixels where one image is finite and the other is not
    double mean_a = 0, mean_b = 0;
    double mean_difference = 0;  // b - a
    double mean_absolute = 0;
    double rms = 0;
    double relative_mse = 0;  // mean of (b - a)² / (a² + 0.01) (Rousselle et al. 2011); a is the reference
    double psnr_db = 0;       // 20 log10(peak / rms), infinite for the same images
    LargestDifference largest;

    bool isSame() const { return rms == 0 && not_finite_in_one == 0; }
};

/// Per pixel: every channel of the layer is finite in both images.
std::vector<bool> finitePixels(const Image& a, const Image& b, const Layer& layer);

/// `region` in pixels of the images' window, which must be the same; both must have the layer's channels.
LayerMetrics layerMetrics(const Image& a, const Image& b, const Layer& layer, const PixelWindow& region,
                          double peak = 1);

/// Luminance of linear Rec. 709.
PixelPlane luminanceOf(const RgbPlanes& image);

/// Mean structural similarity (Wang et al. 2004: Gaussian window of 11 pixels, sigma 1.5, K1 = 0.01, K2 = 0.03) over
/// the pixels of the region whose window lies in the image; `peak` is the dynamic range. NaN if there is no such pixel.
double structuralSimilarity(const PixelPlane& a, const PixelPlane& b, const PixelWindow& region, double peak = 1);

/// Mean over the region.
double regionMean(const PixelPlane& plane, const PixelWindow& region);

/// Pixels of the region where channel A is outside [0, 1] by more than half's rounding, or not finite; 0 without it.
std::size_t alphaErrors(const Image& image, const PixelWindow& region);

}  // namespace firn
