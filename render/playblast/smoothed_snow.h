#pragma once

#include "render/playblast/depth_picture.h"

namespace firn {

/// Depths (m) of a picture in perspective; of snow the mean over neighbours that are snow and about as deep, so that
/// discs become a surface. `spacing_m`: of particles; `scale`: pixels per metre at a depth of 1 m. Infinite where
/// nothing is.
std::vector<float> smoothedDepths(const DepthPicture& picture, float spacing_m, float scale);

}  // namespace firn
