#pragma once
// Means and maxima of a picture's values over squares.

#include <vector>

namespace firn {

/// Means over squares of (2 radius + 1)^2 pixels, as far as they lie in the picture. Values row by row.
std::vector<float> boxMean(const std::vector<float>& values, int width, int height, int radius);

/// The largest values of these squares.
std::vector<float> boxMaximum(const std::vector<float>& values, int width, int height, int radius);

}  // namespace firn
