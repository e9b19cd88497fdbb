#pragma once
// What the paths of a frame meet: snow, surfaces, lights.

#include <span>

#include "render/albedo_field.h"
#include "render/lights.h"
#include "render/shadow_roulette.h"
#include "render/surfaces.h"
#include "render/volume.h"

namespace firn {

struct Medium {
    Vec3f albedo = Vec3f::Ones();        // single scattering, linear Rec. 709; with a field, the least of its values
    float g = 0.5f;                      // mean cosine of Henyey and Greenstein's phase function
    const AlbedoField* field = nullptr;  // where looks differ; null = albedo is the same everywhere

    Vec3f albedoAt(const Vec3f& point_m) const { return field != nullptr ? field->at(point_m) : albedo; }
};

class LightCache;
class Glints;
class WaterFilm;

struct RenderScene {
    const Volume* volume = nullptr;      // null = no medium
    const Surfaces* surfaces = nullptr;  // null = none
    Lights lights;
    Medium medium;
    bool hides_sky = false;                            // from the camera
    bool has_mattes = false;                           // seenSurface() finds SeenSurface::matte
    bool catches_shadows = false;                      // surfaces->catchShadows()
    int max_bounces = 0;                               // scatterings along a path, 0 = unlimited
    float roulette_factor = 1;                         // of the throughputs that are worth the time of a path
    std::span<const ShadowRoulette> shadow_roulettes;  // of lights.sampled(); empty = all shadow rays are traced
    const LightCache* light_cache = nullptr;           // where paths may end; null = nowhere
    const Glints* glints = nullptr;                    // at the surface of snow; null = none
    const WaterFilm* water_film = nullptr;             // null = no snow is wet or glazed
};

}  // namespace firn
