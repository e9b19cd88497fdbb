#pragma once
// The volume that paths are traced through, sampled to one grid of cubic voxels for other renderers.

#include "common/scene/scene.h"
#include "render/density_grid.h"
#include "render/volume.h"

namespace firn {

/// Firn's space, in which y points up, as a space in which `up` does: for z, (x, y, z) becomes (x, -z, y).
Vec3d turnedTo(UpAxis up, const Vec3d& point);
Vec3d turnedFrom(UpAxis up, const Vec3d& point);

/// Density (kg/m^3), which is extinction over `extinctionPerDensity` (m^2/kg). Where the bricks of the volume are finer
/// than the voxels, a voxel has the mean over itself of up to 4^3 samples; otherwise it has the value at its centre.
/// Voxel (i, j, k) is centred at (i, j, k) * voxel_m of the turned space. The same bits for any number of threads.
/// Throws Error(Usage) where the snow reaches beyond the 16 million voxels that an axis may have.
DensityGrid sampledGrid(const Volume& volume, double extinctionPerDensity, double voxel_m, UpAxis up);

/// Of all voxels, kg.
double massOf(const DensityGrid& grid);

}  // namespace firn
