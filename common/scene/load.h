#pragma once
// Scene files: TOML text to a checked Scene. docs/scene.md describes the format.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/scene/scene.h"
#include "common/scene/take.h"

namespace firn {

struct SceneOptions {
    std::string quality = {};           // "draft", "preview", "final"; "" = as the file says
    std::vector<std::string> set = {};  // "solver.dx=0.02": dotted key and TOML value
    bool allow_outside = false;         // referenced files may lie outside of the scene's folder
};

/// A scene in which every key has its value: command line over environment (FIRN_SOLVER_DX=…) over quality over file
/// over preset over default. Paths of referenced files are complete and the files were there.
class LoadedScene {
public:
    Scene scene;

    /// The resolved scene as TOML with the origin of each value in a comment. Loads to the same scene and checksum
    /// from the same folder.
    std::string dump() const;

    std::vector<Take> takes;                // [[take]]; none is applied
    std::map<std::string, std::string> origins;  // "snow.0.material.hardening" -> "shot.toml:12", "preset powder", …
};

/// Throws Error(Usage) for what the scene, the environment or `set` say, Error(File) for files that cannot be read,
/// each with file, line and column, what was found, what was expected and the nearest known name.
LoadedScene loadScene(const std::filesystem::path& file, const SceneOptions& options = {});

/// The same from text that stands for the content of `file`, which need not exist.
LoadedScene loadSceneText(const std::string& text, const std::filesystem::path& file, const SceneOptions& options = {});

}  // namespace firn
