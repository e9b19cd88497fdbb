#pragma once
// The work of firn-render usd.

#include <filesystem>
#include <string>

#include "common/error.h"
#include "common/scene/load.h"

namespace firn {

struct UsdJob {
    std::filesystem::path shot;
    SceneOptions scene_options;
    std::filesystem::path volumes;  // folder of firn-render volume --up y; "": without snow
    std::filesystem::path out;      // .usda
    std::string frames;             // "": of the volumes, or all of the scene
};

/// Writes the layer (render/export/usd_shot.h) and prints its path. Throws Error(Usage) for wrong options, and
/// Error(File) for volumes that are missing or of another scene, or if another file is in the place of the layer.
ExitCode writeUsd(const UsdJob& job);

}  // namespace firn
