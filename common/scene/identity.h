#pragma once
// What a cache records about the scene and the program that made it. A run compares it before it continues the cache,
// and the renderer tells with it what differs.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/cache/layout.h"
#include "common/scene/scene.h"

namespace firn {

struct SceneIdentity {
    std::string program;                      // "Firn 0.1.0"
    std::string hash;                         // sceneHash
    std::map<std::string, std::string> keys;  // simulationKeys

    bool operator==(const SceneIdentity&) const = default;
};

/// Of the scene, with this program.
SceneIdentity identityOf(const Scene& scene);

/// Of the run that wrote the header of a checkpoint. Throws nlohmann::json::exception.
SceneIdentity identityIn(const std::string& checkpointHeader);

/// Of the simulation whose frames have the scene hash `hash`, from a checkpoint in the cache. None if no checkpoint is
/// of that simulation. The checkpoints' headers are read, and no more; they count if their keys give the hash.
std::optional<SceneIdentity> cachedIdentity(const CacheLayout& layout, const std::string& hash);

/// One line per difference: "snow.bed.seed: 1 in the cache, 2 now", and one for a whole body or region that only one of
/// them has: "body.fence: not in the cache: ...". `wanted` is that of `scene`.
std::vector<std::string> differences(const SceneIdentity& cached, const SceneIdentity& wanted, const Scene& scene);

/// The lines for a message, with a line break and two spaces before each: at most 20, and then how many more there are.
std::string listed(const std::vector<std::string>& differences);

}  // namespace firn
