#pragma once
// FLIP: how much a viewer who alternates between two images sees each pixel change, from 0 (nothing) to 1.
// Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", 2020; for high dynamic range "Visualizing
// Errors in Rendered High Dynamic Range Images", 2021.

#include <array>

#include "common/compare/convolution.h"

namespace firn {

/// Linear Rec. 709, three planes of one size, every value finite.
using RgbPlanes = std::array<PixelPlane, 3>;

/// A monitor 0.7 m wide with 3840 pixels, seen from 0.7 m.
constexpr double defaultPixelsPerDegree = 67.0206;

/// Values are clipped to [0, 1]. Symmetric in the images.
PixelPlane flipLdr(const RgbPlanes& reference, const RgbPlanes& test, double pixelsPerDegree = defaultPixelsPerDegree);

/// Exposures in stops, evenly spaced, including both ends.
struct Exposures {
    double start = 0;
    double stop = 0;
    int count = 1;

    double at(int i) const { return count > 1 ? start + (stop - start) * i / (count - 1) : start; }
};

/// The exposures at which tone mapping (ACES fit) maps the greatest and the median luminance of `reference` to 0.85. If
/// the median is not positive (black background), the median of the positive values is used; a black image gives the
/// single exposure 0. At most `maxStops` apart.
Exposures flipExposures(const RgbPlanes& reference, double maxStops = 30);

/// Per pixel the greatest flipLdr of the tone-mapped images over the exposures. Symmetric, except for the choice of the
/// exposures.
PixelPlane flipHdr(const RgbPlanes& reference, const RgbPlanes& test, const Exposures& exposures,
                   double pixelsPerDegree = defaultPixelsPerDegree);

}  // namespace firn
