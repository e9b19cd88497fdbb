#pragma once
// The surface that the eye sees along a ray, without random numbers: of a body, or of the snow at an optical depth of
// one. The denoiser's layers are made of it: collisions of paths scatter over several voxels, and their normals are as
// noisy as the picture.

#include "render/render_scene.h"

namespace firn {

struct SeenSurface {
    bool exists = false;
    Vec3f normal = Vec3f::Zero();  // unit length; of the snow: against the gradient of density over two voxels
    Vec3f albedo = Vec3f::Zero();
    Vec3f glints = Vec3f::Zero();  // radiance that facets of snow mirror (glints.h)
    Vec3f gloss = Vec3f::Zero();   // radiance that water on snow mirrors (water_film.h)
};

SeenSurface seenSurface(const RenderScene& scene, const Ray& ray);

}  // namespace firn
