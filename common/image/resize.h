#pragma once
// Shrinks pictures.

#include "common/image/png.h"

namespace firn {

struct PixelSize {
    int width = 0, height = 0;
};

/// The largest size with the image's aspect ratio that fits into width x height and is not larger than the image; at
/// least 1 x 1.
PixelSize fittedSize(const Rgb8Image& image, int width, int height);

/// `image` shrunk to `size`, which is not larger: each pixel is the mean of the area that it covers, in linear light.
Rgb8Image shrunk(const Rgb8Image& image, PixelSize size);

}  // namespace firn
