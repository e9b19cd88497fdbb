#pragma once
// Light of neighbouring frames, for the denoiser: where they show the same, their samples are as good as more samples
// of the frame itself. What moves or changes its light is told apart by a test of patches, so it does not leave ghosts.

#include <vector>

#include "common/image/image.h"

namespace firn {

/// Whether the pixels of both pictures show the same places: same size, same camera.
bool showSamePlaces(const Image& a, const Image& b);

/// The picture with R, G, B, stderr.R, .G, .B and samples of the means over itself and those pixels of `neighbours`
/// that show the same. Pictures are as of Film::image(), all show the same places, and all values are finite. Glints
/// and gloss have no noise; they stay those of the picture.
///
/// A pixel of a neighbour shows the same if seen.albedo and seen.N are alike there, and if its light differs by less
/// than chance explains: the difference of luminance, averaged over squares of 3, 7 and 15 pixels, is divided by its
/// standard error. The pixel counts fully up to 2 standard errors, and not at all from 4.
Image withNeighbours(const Image& picture, const std::vector<Image>& neighbours);

}  // namespace firn
