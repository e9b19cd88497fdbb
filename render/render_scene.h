#pragma once
// What the paths of a frame meet: snow, surfaces, lights.

#include <span>

#include "render/lights.h"
#include "render/shadow_roulette.h"
#include "render/surfaces.h"
#include "render/volume.h"

namespace firn {

struct Medium {
    Vec3f albedo = Vec3f::Ones();  // single scattering, linear Rec. 709
    float g = 0.5f;                // mean cosine of Henyey and Greenstein's phase function
};

class LightCache;

struct RenderScene {
    const Volume* volume = nullptr;      // null = no medium
    const Surfaces* surfaces = nullptr;  // null = none
    Lights lights;
    Medium medium;
    int max_bounces = 0;                               // scatterings along a path, 0 = unlimited
    std::span<const ShadowRoulette> shadow_roulettes;  // of lights.sampled(); empty = all shadow rays are traced
    const LightCache* light_cache = nullptr;           // where paths may end; null = nowhere
};

}  // namespace firn
