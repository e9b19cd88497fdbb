#pragma once
// The surface that the eye sees along a ray, without random numbers: of a body, or of the snow that the ray meets
// before an optical depth of one. The denoiser's layers are made of it: collisions of paths scatter over several
// voxels, and their normals are as noisy as the picture.

#include "render/render_scene.h"

namespace firn {

/// The name of all snow in a matte.
constexpr const char* snowMatte = "snow";

struct SeenSurface {
    bool exists = false;
    Vec3f normal = Vec3f::Zero();  // unit length; of the snow: against the gradient of density at its border
    Vec3f albedo = Vec3f::Zero();
    Vec3f glints = Vec3f::Zero();  // radiance that facets of snow mirror (glints.h)
    Vec3f gloss = Vec3f::Zero();   // radiance that water on snow mirrors (water_film.h)
    GroupedLight of_groups = {};   // glints + gloss by group of lights, where lights have groups
    // litShare(): of a body at its surface; of snow a mean over the first collisions of the ray, which is what single
    // scattering sends to the eye if the phase function is even.
    float lit = 0;
    std::uint32_t matte = 0;      // matteId() of what a path meets first, a body or snowMatte; 0 = none
    Vec3f place = Vec3f::Zero();  // m; of a body, just above it; of snow, at the first of these collisions
};

/// `u` in [0, 1) chooses where `lit` is looked up in snow; spread it evenly over the samples of a pixel.
SeenSurface seenSurface(const RenderScene& scene, const Ray& ray, float u);

}  // namespace firn
