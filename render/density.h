#pragma once
// Particles rasterised to a density grid (kg/m^3) with the simulation's cubic B-spline
//   N(x) = 1/2 |x|^3 - x^2 + 2/3 for |x| < 1,  -1/6 |x|^3 + x^2 - 2 |x| + 4/3 for 1 <= |x| < 2,  else 0
// (Stomakhin et al. 2013, section 4). The width h of a particle's kernel follows the particle's own size
// s = V_p0^(1/3), not the voxel, so the voxel may be finer than the solver's grid. It also follows how full the
// particle's neighbourhood is, so snow in bulk is smooth, its surface is crisp, and crumbs stay small:
//   h_p = max(voxel, s ((1 - c) isolated_scale + c bulk_scale (det F_p)^(1/3))),
//   c = clamp((W(x_p) - alone) / (bulk - alone), 0, 1),
// with W = det F_p sum V_0 N the share of space that snow like the particle's fills there, by kernels of
// h = bulk_scale s. So snow of two densities that lie beside one another has no surface between them.
// Weights are divided by their sum over the voxels, so the mass of each particle is conserved.

#include "render/density_grid.h"
#include "render/snow_particles.h"

namespace firn {

struct DensitySettings {
    double voxel_m = 0.01;
    /// With 2, freshly seeded snow (8 particles per cell) has the solver's own kernel, h = dx, and a bed of jittered
    /// particles has ripples of 3.5 % rms. A smaller value is sharper and grainier.
    double bulk_scale = 2;
    double isolated_scale = 0.8;
    /// Share of space filled around a particle, for a lone particle and for one in bulk. At a flat surface it is 0.5.
    double alone = 0.4;
    double bulk = 0.95;
    double min_stretch = 0.5;  // bounds of det F_p as it widens the kernel
    double max_stretch = 4;
};

/// W(x_p) of each particle.
std::vector<float> surroundingsOf(const SnowParticles& particles, const DensitySettings& settings);

/// The same bits for any number of threads. Throws Error as KernelSums does.
DensityGrid rasterizeDensity(const SnowParticles& particles, const DensitySettings& settings);
/// The same with `surroundings`, those of surroundingsOf().
DensityGrid rasterizeDensity(const SnowParticles& particles, const std::vector<float>& surroundings,
                             const DensitySettings& settings);

}  // namespace firn
