#pragma once
// Pixels in the form of the page: differences of neighbours, deflated, in base64. common/compare/page/pixels.js reads
// them.

#include <string>

#include "common/compare/layers.h"

namespace firn {

/// Standard errors per step of a significance map's byte.
constexpr double deviationStep = 1.0 / 16;

/// The channels of `layer`, the first three at most, as half floats; each value is the mean of
/// factor x factor pixels, or of fewer at the border.
std::string halfPayload(const Image& image, const Layer& layer, int factor);

/// Values of FLIP, 0 to 1, as bytes; the largest of factor x factor pixels.
std::string flipPayload(const PixelPlane& flip, int factor);

/// Deviations as bytes, the largest of factor x factor; those at or above `threshold` are at or above it after rounding
/// too.
std::string deviationPayload(const PixelPlane& deviations, int factor, double threshold);

}  // namespace firn
