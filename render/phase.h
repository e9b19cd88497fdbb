#pragma once
// Henyey-Greenstein phase function (Henyey and Greenstein 1941):
//   p(cos) = (1 - g^2) / (4 pi (1 + g^2 - 2 g cos)^(3/2)),  cos between the directions of travel before and after.

#include "common/math.h"
#include "render/sampler.h"

namespace firn {

/// Per steradian. |g| < 1.
float henyeyGreenstein(float cosTheta, float g);

/// Cosine distributed as the phase function, from a uniform number in [0, 1).
float sampleHenyeyGreenstein(float g, float u);

/// The direction at angle acos(cosTheta) from the unit vector `axis`, at azimuth 2 pi u around it.
Vec3f deflect(const Vec3f& axis, float cosTheta, float u);

}  // namespace firn
