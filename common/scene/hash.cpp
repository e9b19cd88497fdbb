#include "common/scene/hash.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/io/extension.h"
#include "common/io/frame_range.h"
#include "common/io/sequence_checksums.h"
#include "common/scene/keys.h"

namespace firn {

namespace {

/// The files that a .gltf refers to in a list, "buffers" or "images". Text that is not JSON, or of another form, names
/// none: the reader of the file says so.
std::vector<std::filesystem::path> filesIn(const std::filesystem::path& gltf, const std::string& text,
                                           const char* listName)
{
    std::vector<std::filesystem::path> files;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains(listName) || !json[listName].is_array()) return files;
    for (const auto& entry : json[listName]) {
        if (!entry.is_object() || !entry.contains("uri") || !entry["uri"].is_string()) continue;
        const auto uri = entry["uri"].get<std::string>();
        if (!uri.starts_with("data:")) files.push_back(gltf.parent_path() / uri);
    }
    return files;
}

std::string textOf(const std::filesystem::path& file)
{
    const std::vector<std::byte> bytes = readFile(file);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The checksums of the pictures that a body's file refers to, where they are there; empty without any.
std::string picturesText(const BodySpec& body)
{
    std::string text;
    if (!(body.file_colors || body.file_gloss) || lowerExtension(body.file) != ".gltf") return text;
    for (const std::filesystem::path& picture : filesIn(body.file, textOf(body.file), "images"))
        if (std::filesystem::is_regular_file(picture)) text += (text.empty() ? "" : " ") + checksum(readFile(picture));
    return text;
}

std::string bufferChecksum(const std::filesystem::path& file, const std::filesystem::path& buffer)
{
    try {
        return checksum(readFile(buffer));
    } catch (const Error& error) {
        throw Error(error.code(), file.string() + ": its buffer: " + error.what());
    }
}

std::string fileText(const std::filesystem::path& file)
{
    if (file.empty()) return "";
    if (isFramePattern(file)) {
        std::string text = "sequence";
        for (const auto& [number, sum] : sequenceChecksums(file)) text += " " + std::to_string(number) + " " + sum;
        return text;
    }
    const std::string content = textOf(file);
    std::string text = file.extension().string() + " " + checksum(content);
    if (file.extension() != ".gltf") return text;
    for (const std::filesystem::path& buffer : filesIn(file, content, "buffers"))
        text += " " + bufferChecksum(file, buffer);
    return text;
}

std::string keyText(const Key& key, void* object)
{
    const Field field = key.field(object);
    if (const auto* frames = std::get_if<FramesField>(&field)) return "from " + std::to_string(*frames->first);
    if (const auto* file = std::get_if<std::filesystem::path*>(&field)) return fileText(**file);
    return valueText(key, object, {});
}

bool changesSimulation(const Table& table, const Key& key, void* object)
{
    if (key.affects == Affects::Picture || !applies(table, key, object)) return false;
    return key.affects == Affects::Simulation || valueText(key, object, {}) != valueText(key, table.defaults, {});
}

/// Whether a key is wanted: its table, the key, the object that has it, and the path of the table.
using IsWanted = std::function<bool(const Table&, const Key&, void*, const std::string&)>;

void collect(const Table& table, void* object, const std::string& path, const IsWanted& isWanted,
             std::map<std::string, std::string>& keys)
{
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const Key& key : table.keys)
        if (isWanted(table, key, object, path)) keys.emplace(prefix + std::string(key.name), keyText(key, object));
    for (const Child& child : table.children) {
        const std::string childPath = prefix + std::string(child.name);
        for (std::size_t i = 0; i < child.size(object); ++i)
            collect(child.table(), child.at(object, i),
                    child.isList() ? childPath + "." + std::to_string(i) : childPath, isWanted, keys);
    }
}

/// By value: the accessors need a scene that is not const.
std::map<std::string, std::string> collected(Scene scene, const IsWanted& isWanted)
{
    std::map<std::string, std::string> keys;
    collect(sceneTable(), &scene, "", isWanted, keys);
    return keys;
}

/// What pictures show and the simulation leaves out.
class Scenery {
public:
    explicit Scenery(const Scene& scene) : m_movers(scene.bodies.size(), false), m_regions(scene.snow.size())
    {
        while (m_regions > 0 && scene.snow[m_regions - 1].still) --m_regions;  // they take no space from moving snow
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            if (scene.bodies[i].collides) markWithParents(scene, i);
        for (const SnowRegion& region : scene.snow) markNamed(scene, region.source.body);
    }

    /// Whether the table with this path, such as "snow.1.material", is a part of it.
    bool has(const std::string& path) const
    {
        if (const auto region = indexIn("snow.", path)) return *region >= m_regions;
        const auto body = indexIn("body.", path);
        return body && !m_movers[*body];
    }

private:
    static std::optional<std::size_t> indexIn(const std::string& list, const std::string& path)
    {
        if (!path.starts_with(list)) return std::nullopt;
        return std::stoul(path.substr(list.size()));
    }

    void markWithParents(const Scene& scene, std::size_t index)
    {
        if (m_movers[index]) return;
        m_movers[index] = true;
        markNamed(scene, scene.bodies[index].parent);
    }

    void markNamed(const Scene& scene, const std::string& name)
    {
        const auto found = std::ranges::find(scene.bodies, name, &BodySpec::name);
        if (name.empty() || found == scene.bodies.end()) return;
        markWithParents(scene, static_cast<std::size_t>(found - scene.bodies.begin()));
    }

    std::vector<bool> m_movers;  // bodies that snow collides with, and those that carry them or a source of snow
    std::size_t m_regions;       // without the still ones at the end
};

}  // namespace

std::map<std::string, std::string> simulationKeys(const Scene& scene)
{
    const auto isOfSimulation = [scenery = Scenery(scene)](const Table& table, const Key& key, void* object,
                                                           const std::string& path) {
        return !scenery.has(path) && changesSimulation(table, key, object);
    };
    return collected(scene, isOfSimulation);
}

std::map<std::string, std::string> pictureFiles(const Scene& scene)
{
    const auto isFile = [scenery = Scenery(scene)](const Table& table, const Key& key, void* object,
                                                   const std::string& path) {
        const Field field = key.field(object);
        const auto* const file = std::get_if<std::filesystem::path*>(&field);
        const bool isOfPicture = key.affects == Affects::Picture || scenery.has(path);
        return file && !(*file)->empty() && isOfPicture && applies(table, key, object);
    };
    std::map<std::string, std::string> files = collected(scene, isFile);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        if (const std::string pictures = picturesText(scene.bodies[i]); !pictures.empty())
            files.emplace("body." + std::to_string(i) + ".file pictures", pictures);
    return files;
}

std::map<std::string, std::string> sceneryKeys(const Scene& scene)
{
    const auto isOfScenery = [scenery = Scenery(scene)](const Table& table, const Key& key, void* object,
                                                        const std::string& path) {
        return scenery.has(path) && changesSimulation(table, key, object);
    };
    return collected(scene, isOfScenery);
}

std::string hashOf(const std::map<std::string, std::string>& simulationKeys)
{
    std::string text;
    for (const auto& [key, value] : simulationKeys) text += key + " = " + value + "\n";
    return checksum(text);
}

std::string sceneHash(const Scene& scene) { return hashOf(simulationKeys(scene)); }

}  // namespace firn
