#pragma once
// A shot as a USD layer: camera, lights, bodies, and the snow as volumes in files of their own.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "common/scene/scene.h"

namespace firn {

struct UsdShot {
    std::vector<int> frames;  // ascending, at least one: the time codes
    /// Files of firn-render volume by frame, relative to the layer; may be empty.
    std::vector<std::pair<int, std::string>> volumes;
};

/// The text of the layer. Metres, y up, one time code per frame. Throws as makeBodies and LightRig do.
std::string usdShotText(const Scene& scene, const UsdShot& shot);

}  // namespace firn
