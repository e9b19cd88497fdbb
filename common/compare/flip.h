#pragma once
// FLIP: how strongly a viewer who alternates between two images sees each pixel change, 0 (not) to 1.
// Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", 2020; for high dynamic range "Visualizing
// Errors in Rendered High Dynamic Range Images", 2021.

#include <array>

#include "common/compare/convolution.h"

namespace firn {

/// Linear Rec. 709, three planes of one size, every value finite.
using RgbPlanes = std::array<Plane, 3>;

/// A monitor 0.7 m wide with 3840 pixels, seen from 0.7 m.
constexpr double defaultPixelsPerDegree = 67.0206;

/// Values are clipped to [0, 1]. Symmetric in the images.
Plane flipLdr(const RgbPlanes& reference, const RgbPlanes& test, double pixels_per_degree = defaultPixelsPerDegree);

/// Exposures in stops, evenly spaced, both ends among them.
struct Exposures {
    double start = 0;
    double stop = 0;
    int count = 1;

    double at(int i) const { return count > 1 ? start + (stop - start) * i / (count - 1) : start; }
};

/// Those at which tone mapping (ACES fit) takes the greatest and the median luminance of `reference` to 0.85. Where the
/// median is not positive (black background), the median of what is positive stands for it; a black image gives the
/// single exposure 0. At most `max_stops` apart.
Exposures flipExposures(const RgbPlanes& reference, double max_stops = 30);

/// The greatest of flipLdr over the exposures, tone-mapped. Symmetric but for the choice of exposures.
Plane flipHdr(const RgbPlanes& reference, const RgbPlanes& test, const Exposures& exposures,
              double pixels_per_degree = defaultPixelsPerDegree);

}  // namespace firn
