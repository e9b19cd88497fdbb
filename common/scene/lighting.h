#pragma once
// Ready-made lights, for shots that nobody has lit yet.

#include <string>
#include <string_view>
#include <vector>

#include "common/scene/scene.h"

namespace firn {

/// The values of `render.lighting`. "scene" stands for the scene's own lights.
std::vector<std::string_view> lightingNames();

/// The lights of a name other than "scene". Directions are relative to the camera's view (at its first key), and lamps
/// stand around the point that it looks at, at distances in proportion to that of the camera.
std::vector<LightSpec> readyLights(const std::string& lighting, const Camera& camera);

}  // namespace firn
