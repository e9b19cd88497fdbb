#pragma once
// Density of powder in the air. Puffs (sim/puffs.h) have all sizes from a cell of the solver to metres, so each is
// summed on a grid as coarse as its size allows.

#include <span>

#include "render/density_grid.h"
#include "render/snow_optics.h"
#include "render/snow_particles.h"

namespace firn {

/// Density of the puffs, kg/m^3, of powder as opaque as snow of the first region. The same bits for any number of
/// threads. Throws Error as KernelSums does.
DensityGrid powderDensity(const PowderPuffs& puffs, std::span<const SnowOptics> optics, double voxel_m);

}  // namespace firn
