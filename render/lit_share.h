#pragma once
// How much of the light that there is arrives at a place, without random numbers: a hint for the denoiser.

#include "render/render_scene.h"

namespace firn {

/// From 0 to 1, by luminance and approximate optical depths; 0 in scenes without suns and lamps. Skies count as if a
/// third of their light arrived everywhere: a few directions would tell too little of the rest. `normal` of a body's
/// surface: lamps count times the cosine of the angle to it. Null: in snow.
float litShare(const RenderScene& scene, const Vec3f& place, const Vec3f* normal);

}  // namespace firn
