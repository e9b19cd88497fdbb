#pragma once
// Which lights light nothing that the camera sees: one that is inside a body or in snow, or that shines elsewhere, is
// easily taken for a weak one.

#include <vector>

#include "render/camera.h"
#include "render/render_scene.h"

namespace firn {

/// Indices of the lights of scene.lights.sampled() whose light comes straight to none of about a thousand points that
/// the camera sees in a picture of this size.
std::vector<std::size_t> unseenLights(const RenderScene& scene, const PlacedCamera& camera, int width, int height);

}  // namespace firn
