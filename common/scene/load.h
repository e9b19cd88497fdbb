#pragma once
// Loads scene files: TOML text becomes a checked Scene. docs/scene.md describes the format.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/scene/scene.h"
#include "common/take.h"

namespace firn {

struct SceneOptions {
    std::string quality = {};                // "draft", "preview" or "final"; "" = the scene as written
    std::vector<std::string> set = {};       // "solver.dx=0.02": dotted key and TOML value
    std::vector<std::string> take_set = {};  // the same, of a take; they override those of `set`
    bool allow_outside = false;              // whether referenced files may lie outside the scene's folder
};

/// A scene in which every key has its final value. Each value comes from the first of these that gives one: command
/// line, environment (FIRN_SOLVER_DX=…), quality, file, preset, default. Paths of referenced files are complete, and
/// the files existed when the scene was loaded.
class LoadedScene {
public:
    Scene scene;

    /// The resolved scene as TOML, with the origin of each value in a comment. Loaded from the same folder, it gives
    /// the same scene and the same checksum.
    std::string dump() const;

    std::vector<Take> takes;                     // [[take]]; none of them is applied to `scene`
    std::map<std::string, std::string> origins;  // "snow.0.material.hardening" -> "shot.toml:12", "preset powder", …
};

/// Throws Error(Usage) for a mistake in the scene, the environment or `set`, and Error(File) for a file that cannot be
/// read. The message tells file, line and column, what was found, what was expected, and the nearest known name.
LoadedScene loadScene(const std::filesystem::path& file, const SceneOptions& options = {});

/// The same with `text` as the content of `file`, which need not exist.
LoadedScene loadSceneText(const std::string& text, const std::filesystem::path& file, const SceneOptions& options = {});

}  // namespace firn
