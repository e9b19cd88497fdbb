#pragma once
// From a grid of density to the volume that light is tracked through.

#include "render/density_grid.h"
#include "render/volume.h"

namespace firn {

/// Leaves at whose corners a brick may hold density, ascending: a leaf's first voxels take part in the bricks before
/// it.
std::vector<LeafKey> candidateBricks(const DensityGrid& density);

/// Values of the brick whose first voxel is that of `leaf`, from this leaf and the seven after it.
void copyBrick(const DensityGrid& grid, const Vec3i& leaf, Bricks::Values& values);

/// The same of densities, times `scale`. Whether any differs from zero. Throws as volumeFromDensity does.
bool fillBrick(const DensityGrid& density, const Vec3i& leaf, float scale, Bricks::Values& values);

/// Extinction is `extinctionPerDensity` (m^2/kg) times density, trilinear between voxels. Majorants hold for blocks of
/// 2^blockShift cells along an edge (0 to 3). Throws Error(Failed) for densities that are negative or not finite.
Volume volumeFromDensity(const DensityGrid& density, double extinctionPerDensity, int blockShift = 1);

}  // namespace firn
