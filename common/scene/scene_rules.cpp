#include "common/scene/scene_rules.h"

#include <algorithm>

#include "common/io/suggest.h"

namespace firn {

void SceneRules::used(const Table& table, void* object, const std::string& path, const std::string& name) const
{
    for (const Key& key : table.keys) {
        if (applies(table, key, object) || !builder.isGiven(join(path, key.name))) continue;
        fault(join(path, key.name),
              "'" + std::string(key.name) + "' of '" + name + "' does not apply to " + std::string(table.selector) +
                  " = " + valueText(*table.key(table.selector), object, {}) + "; it applies to: " + onlyList(key));
    }
}

const BodySpec& SceneRules::named(const std::string& name, const std::string& path) const
{
    const auto& bodies = builder.scene.bodies;
    const auto found = std::ranges::find(bodies, name, &BodySpec::name);
    if (found != bodies.end()) return *found;
    std::vector<std::string_view> names;
    names.reserve(bodies.size());
    for (const BodySpec& body : bodies) names.push_back(body.name);
    fault(path, "there is no body named '" + name + "'" + didYouMean(name, names));
}

}  // namespace firn
