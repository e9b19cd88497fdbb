#pragma once
// Removes noise without a network, in two passes. The first averages pixels whose seen surfaces (normal and albedo,
// which have no noise) are alike; what it gives is smooth but has lost edges of shadows. The second compares the
// results of the first, and fits brightness around each pixel as a linear function of normal and position among the
// pixels that are alike (Bitterli et al. 2016, "Nonlinearly Weighted First-order Regression for Denoising Monte Carlo
// Renderings").

#include "common/image/image.h"

namespace firn {

/// The channels R, G and B, filtered. With one sample per pixel there is no estimate of noise, and they stay as they
/// are. Needs the layers of Film::image; pictures without seen.* use N and albedo. The same image gives the same bits
/// for any number of threads.
Image filterNoise(const Image& image);

}  // namespace firn
