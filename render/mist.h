#pragma once
// Mist: the finest part of loose snow in flight, between its crumbs and behind them. The solver's particles are too
// large for it, so the renderer takes a share of their mass (snow.look.mist) and spreads it out. Air stops single
// grains at once, so they lag behind the crumbs that they come from.

#include <span>
#include <vector>

#include "render/density_grid.h"
#include "render/rest_places.h"
#include "render/snow_optics.h"
#include "render/surfaces.h"

namespace firn {

struct Mist {
    std::vector<float> share;  // of each particle's mass; empty without mist
    DensityGrid density;       // kg/m^3, of all mist
};

/// The share is that of the particle's region where the particle is lone and fast, less and less where it has
/// neighbours or slows down, less for coarse particles, and varies with the place of rest. `surfaces`: which mist does
/// not pass; may be null. The same bits for any number of threads. Throws Error as KernelSums does.
Mist mistOf(const SnowParticles& particles, const SnowHistory& history, std::span<const SnowOptics> optics,
            const Surfaces* surfaces, double voxel_m);

}  // namespace firn
