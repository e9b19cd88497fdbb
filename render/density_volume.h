#pragma once
// From a grid of density to the volume that light is tracked through.

#include "render/density_grid.h"
#include "render/volume.h"

namespace firn {

/// Extinction is `extinctionPerDensity` (m^2/kg) times density, trilinear between voxels. Majorants hold for blocks of
/// 2^blockShift cells along an edge (0 to 3). Throws Error(Failed) for densities that are negative or not finite.
Volume volumeFromDensity(const DensityGrid& density, double extinctionPerDensity, int blockShift = 1);

}  // namespace firn
