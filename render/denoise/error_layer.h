#pragma once
// How far a denoised picture may be from the truth.

#include <vector>

#include "common/image/image.h"
#include "render/denoise/denoiser.h"

namespace firn {

/// The standard error of luminance of each pixel of `clean`, which is denoised from the picture `input`; `cleanHalf` is
/// the same from the half of the samples. It is a mean over 7 x 7 pixels, and at most four times that of the picture
/// with its noise. It knows neither what the denoiser changes on average nor the noise of glints.
std::vector<float> errorLayer(const Image& input, const Planes& clean, const Planes& cleanHalf,
                              const HalfPicture& half);

}  // namespace firn
