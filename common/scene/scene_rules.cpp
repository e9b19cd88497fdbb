#include "common/scene/scene_rules.h"

#include <algorithm>

#include "common/io/extension.h"
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

bool SceneRules::hasNodes(const BodySpec& spec)
{
    const std::string extension = lowerExtension(spec.file);
    return spec.shape == BodyShape::Mesh && (extension == ".glb" || extension == ".gltf" || extension == ".fbx");
}

void SceneRules::carried(const std::string& name, const std::string& parent, const std::string& node,
                         const std::string& path) const
{
    if (parent.empty()) {
        if (!node.empty())
            fault(path + ".parent_node",
                  "'" + name + "' needs 'parent', the name of a body, because it has 'parent_node'");
        return;
    }
    const BodySpec& body = named(parent, path + ".parent");
    const bool isCharacter = body.shape == BodyShape::Character;
    if (isCharacter && node.empty())
        fault(path + ".parent",
              "'" + body.name + "' is a character; say which of its joints carries '" + name + "' with 'parent_node'");
    if (!isCharacter && !node.empty() && !hasNodes(body))
        fault(path + ".parent_node", "'" + body.name +
                                         "' has no nodes; only characters, and bodies of shape = \"mesh\" from .glb, "
                                         ".gltf and .fbx have nodes");
}

}  // namespace firn
