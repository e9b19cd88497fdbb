#pragma once
// Seams of weak snow: the borders of the cells of a warped Voronoi diagram that fills space.

#include "common/math.h"
#include "common/scene/scene.h"

namespace firn {

/// The seams as a grid of spacing dx can carry them: not narrower than dx, of cells not smaller than 4 dx.
SnowSeams carriedBy(double dx, const SnowSeams& seams);

/// Whether theta_s differs from place to place in a region.
inline bool hasVariedStrength(const SnowRegion& region)
{
    return region.noise.strength != 0 || region.seams.size_m != 0 ||
           (region.crust.depth_m > 0 && region.crust.strength != 1);
}

/// Whether it does in a region that is simulated.
bool hasVariedStrength(const Scene& scene);

/// Factor on theta_s at a point: seams.strength in a seam, 1 in the cells; 1 everywhere where there are no seams.
double seamStrength(const SnowSeams& seams, const Vec3d& x);

/// Distance to the nearest border between the cells of a Voronoi diagram, in units of the mean distance between
/// centres. Exact up to half a unit.
double borderDistance(int seed, const Vec3d& x);

}  // namespace firn
