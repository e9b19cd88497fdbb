#pragma once

#include <vector>

#include "render/playblast/eye.h"
#include "render/snow_particles.h"

namespace firn {

/// Optical depth of powder in the air before the surface of each pixel, row by row. A puff is a ball: its depth falls
/// from its middle to its edge as 1 - (d / radius)^2. `extinction_m2_per_kg`: of each region, over density.
std::vector<float> powderHaze(const PowderPuffs& puffs, const std::vector<float>& extinction_m2_per_kg,
                              const PinholeEye& eye, const DepthPicture& picture);

}  // namespace firn
