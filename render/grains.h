#pragma once
// What particles become for rendering with detail: pieces of snow that occupy space. A particle in bulk is one piece. A
// lone particle breaks into fragments of several sizes, placed by its id.

#include <vector>

#include "render/rest_places.h"
#include "render/snow_particles.h"

namespace firn {

struct Grain {
    Vec3d position = Vec3d::Zero();  // m
    Vec3f shift = Vec3f::Zero();     // from there to where the snow lay at rest, m
    float width_m = 0;               // h of its kernel (density.h)
    float volume_m3 = 0;
    float mass_kg = 0;
    float roughness = 0;  // 0 for snow as it fell, 1 for snow that was broken up, down to -1 for packed snow
    float bump_m = 0;     // random; makes the relief of snow whose places at rest are sheared
    bool is_fragment = false;
};

/// The grains of a particle follow one another.
std::vector<Grain> grainsOf(const SnowParticles& particles, const SnowHistory& history);

}  // namespace firn
