#pragma once
// What particles become for rendering with detail: pieces of snow that occupy space. A particle in bulk is one piece. A
// lone particle breaks into fragments of several sizes, placed by its id.

#include <vector>

#include "render/rest_places.h"
#include "render/snow_particles.h"
#include "render/snow_relief.h"
#include "render/surfaces.h"

namespace firn {

struct Grain {
    Vec3d position = Vec3d::Zero();  // m
    Vec3f shift = Vec3f::Zero();     // from there to where the snow lay at rest, m
    float width_m = 0;               // h of its kernel (density.h)
    float volume_m3 = 0;
    float mass_kg = 0;
    // 0 for snow as it fell, 1 for snow that was broken up, 2 for a lone crumb, down to -1 for packed snow.
    float roughness = 0;
    float sheared = 0;   // 0 to 1: how far shear broke the snow into pieces (snow_pieces.h)
    float rounding = 0;  // 0 to 1: how far fine noise is gone; down to -1 for snow that broke like ice (SnowRelief)
    bool is_fragment = false;

    double reach_m() const { return 2 * static_cast<double>(width_m); }
};

/// How lone a particle is: 0 in bulk, 1 where no snow is around it.
float lonenessOf(const SnowHistory& history, std::size_t i);

/// How far the snow of a particle is no longer as it fell, from 0 to 1: loose, laid open, or sheared.
float brokenShareOf(const SnowParticles& particles, const SnowHistory& history, std::size_t i);

/// The share of the surface of each particle that glaze still covers. Empty if no region has any.
std::vector<float> glazeOf(const SnowParticles& particles, const SnowHistory& history,
                           const std::vector<SnowRelief>& reliefs);

/// What grains need beside particles and their history.
struct GrainSettings {
    std::vector<SnowRelief> reliefs;     // of each region; default ones if there are none
    std::vector<float> mist;             // share of each particle's mass that its grains do not have (mist.h); empty: 0
    const Surfaces* surfaces = nullptr;  // which fragments do not pass; may be null
};

/// The grains of a particle follow one another.
std::vector<Grain> grainsOf(const SnowParticles& particles, const SnowHistory& history,
                            const GrainSettings& settings = {});

}  // namespace firn
