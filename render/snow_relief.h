#pragma once
// How the surface of snow is shaped below the size of a particle, by kind of snow. Coarseness and rounding change the
// noise of snow_surface.h. Shards are the flat faces of broken ice. Glaze is a film of ice on snow as it lies: it
// rounds the surface and mirrors light (water_film.h), and is gone where snow breaks.

#include <vector>

#include "common/scene/scene.h"
#include "render/snow_particles.h"

namespace firn {

/// SnowLook has the same keys.
struct SnowRelief {
    float coarseness = 0;  // of snow as it lies: -1 is even and of fine grain, 1 is in lumps
    float rounding = 0;    // 0 to 1: how far fine noise is gone
    float glaze = 0;       // 0 to 1
    float shards = 0;      // 0 to 1: how far it breaks like ice
};

/// Of each region of the scene.
std::vector<SnowRelief> snowReliefs(const Scene& scene);

/// The relief of the region that a particle belongs to; the default one if there is none.
SnowRelief reliefOfParticle(const std::vector<SnowRelief>& reliefs, const SnowParticles& particles, std::size_t i);

}  // namespace firn
