#pragma once
// Optical depths for decisions, not for estimates: from a few values of each block along a ray.

#include "render/bricks.h"
#include "render/ray.h"

namespace firn {

/// Optical depth along the ray, which is in units of the bricks, up to `most`. Each block gives two values near the
/// start, and one farther on.
float roughOpticalDepth(const Bricks& bricks, const Ray& ray, float most);

}  // namespace firn
