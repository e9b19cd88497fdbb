#pragma once
// Pixels as the report's page holds them: deflated differences of neighbours, in base64
// (common/compare/page/pixels.js reads them).

#include <string>

#include "common/compare/layers.h"

namespace firn {

/// Standard errors per step of a significance map's byte.
constexpr double deviationStep = 1.0 / 16;

/// The channels of `layer`, the first three at most, as half floats; means over factor x factor pixels, of what there
/// is of them at the border.
std::string halfPayload(const Image& image, const Layer& layer, int factor);

/// Values of FLIP, 0 to 1, as bytes; the largest of factor x factor pixels.
std::string flipPayload(const Plane& flip, int factor);

/// Deviations as bytes, the largest of factor x factor; those at or above `threshold` stay so.
std::string deviationPayload(const Plane& deviations, int factor, double threshold);

}  // namespace firn
