#include "common/scene/identity.h"

#include <nlohmann/json.hpp>

#include "common/cache/checkpoint.h"
#include "common/error.h"
#include "common/io/json.h"
#include "common/scene/builder.h"
#include "common/scene/hash.h"

namespace firn {

SceneIdentity identityOf(const Scene& scene) { return {"Firn " FIRN_VERSION, sceneHash(scene), simulationKeys(scene)}; }

SceneIdentity identityIn(const std::string& checkpointHeader)
{
    const nlohmann::json header = parseJson(checkpointHeader);
    return {header.at("program").get<std::string>(), header.at("scene_hash").get<std::string>(),
            header.at("scene_keys").get<std::map<std::string, std::string>>()};
}

std::optional<SceneIdentity> cachedIdentity(const CacheLayout& layout, const std::string& hash)
{
    for (const int frame : layout.checkpoints()) {
        try {
            const SceneIdentity identity = identityIn(readCheckpointHeader(layout.checkpointPath(frame)));
            if (identity.hash == hash && hashOf(identity.keys) == hash) return identity;
        } catch (const Error&) {  // the checkpoint is damaged
        } catch (const nlohmann::json::exception&) {
        }
    }
    return std::nullopt;
}

std::vector<std::string> differences(const SceneIdentity& cached, const SceneIdentity& wanted, const Scene& scene)
{
    std::vector<std::string> result;
    const auto compare = [&](const std::string& key, const std::string* old, const std::string* now) {
        if (old && now && *old == *now) return;
        const auto text = [](const std::string* value) { return value ? clampText(*value) : "not set"; };
        result.push_back(namedPath(scene, key) + ": " + text(old) + " in the cache, " + text(now) + " now");
    };
    compare("program", &cached.program, &wanted.program);
    auto keys = cached.keys;
    keys.insert(wanted.keys.begin(), wanted.keys.end());
    for (const auto& entry : keys) {
        const auto old = cached.keys.find(entry.first), now = wanted.keys.find(entry.first);
        compare(entry.first, old == cached.keys.end() ? nullptr : &old->second,
                now == wanted.keys.end() ? nullptr : &now->second);
    }
    return result;
}

}  // namespace firn
