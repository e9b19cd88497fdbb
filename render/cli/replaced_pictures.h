#pragma once
// What pictures of another simulation, or of other values of the scene, a run would replace.

#include <filesystem>
#include <string>
#include <vector>

#include "common/image/image.h"
#include "common/scene/scene.h"
#include "render/cli/picture_layout.h"

namespace firn {

/// What is to be rendered.
struct WantedScene {
    const Scene& scene;
    const std::string& values;  // dumpValues()
    const std::filesystem::path& cache;
};

/// Name of the metadata with the hash of the scene that the rendered frame of the cache was simulated with. It differs
/// from firn.scene_hash in pictures that --force rendered from the cache of another scene.
inline constexpr const char* simulationAttribute = "firn.cache_scene_hash";

/// Compares scene and cache with those which the metadata of the pictures of `frames` record. Throws Error(Usage) for
/// a picture of another simulation, unless `force` is set. Returns a warning if pictures are of other values than now,
/// otherwise "". Values that options of firn-render frames set do not count: a picture is often made again with others.
std::string requireSameSimulation(const PictureLayout& layout, const std::vector<int>& frames,
                                  const WantedScene& wanted, bool force);

/// Refuses to replace a picture by a cheaper one: throws Error(Usage). `work` tells how many paths it has.
[[noreturn]] void refuseCheaper(const std::filesystem::path& picture, const std::string& work);

/// Throws Error(Usage) if the file is a picture of another simulation than the new one, which has this metadata, or one
/// of more paths per pixel.
void requireNoBetterPicture(const std::filesystem::path& picture, const Metadata& now);

}  // namespace firn
