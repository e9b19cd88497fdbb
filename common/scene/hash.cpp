#include "common/scene/hash.h"

#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/scene/keys.h"

namespace firn {

namespace {

std::string fileText(const std::filesystem::path& file)
{
    if (file.empty()) return "";
    return file.extension().string() + " " + checksum(readFile(file));
}

std::string keyText(const Key& key, void* object)
{
    const Field field = key.field(object);
    if (const auto* frames = std::get_if<FramesField>(&field)) return "from " + std::to_string(*frames->first);
    if (const auto* file = std::get_if<std::filesystem::path*>(&field)) return fileText(**file);
    return valueText(key, object, {});
}

void collect(const Table& table, void* object, const std::string& path, std::map<std::string, std::string>& keys)
{
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const Key& key : table.keys)
        if (key.affects == Affects::Simulation && applies(table, key, object))
            keys.emplace(prefix + std::string(key.name), keyText(key, object));
    for (const Child& child : table.children) {
        const std::string childPath = prefix + std::string(child.name);
        for (std::size_t i = 0; i < child.size(object); ++i)
            collect(child.table(), child.at(object, i),
                    child.isList() ? childPath + "." + std::to_string(i) : childPath, keys);
    }
}

}  // namespace

std::map<std::string, std::string> simulationKeys(const Scene& scene)
{
    Scene copy = scene;  // the accessors need a scene that is not const
    while (!copy.snow.empty() && copy.snow.back().still) copy.snow.pop_back();  // it takes no space from moving snow
    std::map<std::string, std::string> keys;
    collect(sceneTable(), &copy, "", keys);
    return keys;
}

std::string hashOf(const std::map<std::string, std::string>& simulationKeys)
{
    std::string text;
    for (const auto& [key, value] : simulationKeys) text += key + " = " + value + "\n";
    return checksum(text);
}

std::string sceneHash(const Scene& scene) { return hashOf(simulationKeys(scene)); }

}  // namespace firn
