#include "render/cli/path_keys.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "common/io/frame_range.h"
#include "common/scene/dump.h"
#include "common/scene/flat_scene.h"
#include "common/scene/hash.h"

namespace firn {

namespace {

constexpr std::string_view contentMark = "# content of ";

/// Adds what the comments of pictureText() say: "# content of snow.1.mask.file: .png 3f5a…".
void addContents(const std::string& toml, std::map<std::string, std::string>& keys)
{
    std::istringstream lines(toml);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(": ");
        if (!line.starts_with(contentMark) || colon == std::string::npos) continue;
        keys[line.substr(contentMark.size(), colon - contentMark.size()) + " content"] = line.substr(colon + 2);
    }
}

/// Of snow, a body or a light. No picture depends on it.
bool isNameOfPart(const std::string& key)
{
    const auto isOf = [&](const char* table) { return key.starts_with(table); };
    return key.ends_with(".name") && (isOf("snow.") || isOf("body.") || isOf("light."));
}

}  // namespace

std::string pictureText(const LoadedScene& loaded)
{
    std::string text = dumpValues(loaded);
    for (const auto& [key, content] : pictureFiles(loaded.scene))
        text += std::string(contentMark) + key + ": " + content + "\n";
    return text;
}

std::map<std::string, std::string> pictureKeys(const std::string& toml, const std::string& name)
{
    std::map<std::string, std::string> keys = flatScene(toml, name);
    addContents(toml, keys);
    keys.erase("solver.threads");
    std::erase_if(keys, [](const auto& key) { return isNameOfPart(key.first); });
    const auto frames = keys.find("frames");
    if (frames == keys.end()) return keys;
    std::string range = frames->second;
    std::erase_if(range, [](char c) { return c == '"' || c == '\''; });
    keys.erase(frames);
    const std::vector<int> numbers = parseFrames(range);
    keys["first frame"] = std::to_string(*std::ranges::min_element(numbers));
    return keys;
}

std::map<std::string, std::string> pathKeys(const std::string& toml, const std::string& name)
{
    std::map<std::string, std::string> keys = pictureKeys(toml, name);
    for (const char* key : {"render.seed", "render.spp", "render.view", "render.exposure", "render.half"})
        keys.erase(key);
    return keys;
}

}  // namespace firn
