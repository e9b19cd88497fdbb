#pragma once
// Pictures at smaller sizes.

#include "common/image/png.h"

namespace firn {

struct PixelSize {
    int width = 0, height = 0;
};

/// The largest size of the image's shape within width x height and at most its own; at least 1 x 1.
PixelSize fittedSize(const Rgb8Image& image, int width, int height);

/// `image` at a size of at most its own: each pixel is the mean of the area that it covers, in linear light.
Rgb8Image shrunk(const Rgb8Image& image, PixelSize size);

}  // namespace firn
