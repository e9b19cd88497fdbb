#pragma once
// Particles rasterised to a density grid (kg/m^3) with the simulation's cubic B-spline
//   N(x) = 1/2 |x|^3 - x^2 + 2/3 for |x| < 1,  -1/6 |x|^3 + x^2 - 2 |x| + 4/3 for 1 <= |x| < 2,  else 0
// (Stomakhin et al. 2013, section 4). The width h of a particle's kernel follows the particle's own size
// s = V_p0^(1/3), not the voxel, so that the voxel may be finer than the solver's grid; and it follows the company the
// particle keeps, so that snow in bulk is smooth while its surface is crisp and crumbs stay small:
//   h_p = max(voxel, s ((1 - c) isolated_scale + c bulk_scale (det F_p)^(1/3))),
//   c = clamp((rho(x_p) / rho_p - alone) / (bulk - alone), 0, 1),
// with rho the density by kernels of h = bulk_scale s, and rho_p = m_p / (V_p0 det F_p) the particle's own.
// Weights are divided by their sum over the voxels: each particle brings exactly its mass.

#include <openvdb/Types.h>
#include <openvdb/openvdb.h>

#include "common/cache/particle_frame.h"

namespace firn {

struct DensitySettings {
    double voxel_m = 0.01;
    /// 2 makes the kernel of freshly seeded snow (8 particles per cell) the solver's own, h = dx: a bed of jittered
    /// particles then ripples by 3.5 % rms. Smaller is sharper and grainier.
    double bulk_scale = 2;
    double isolated_scale = 0.8;
    /// Shares of its own density that a particle finds around it, alone and in bulk; a flat surface has about 0.5.
    double alone = 0.4;
    double bulk = 0.95;
    double min_stretch = 0.5;  // bounds of det F_p as it widens the kernel
    double max_stretch = 4;
};

/// Voxels with mass are active; voxel (i, j, k) is centred at (i, j, k) * voxel_m. The sum over voxels runs in a fixed
/// order: the same particles give the same bits for any number of threads. Throws Error(Usage) when the voxel is so
/// small that a kernel would reach over more than 64 of them.
openvdb::FloatGrid::Ptr rasterizeDensity(const ParticleFrame& particles, const DensitySettings& settings);

}  // namespace firn
