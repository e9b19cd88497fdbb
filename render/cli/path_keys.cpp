#include "render/cli/path_keys.h"

#include <algorithm>

#include "common/io/frame_range.h"
#include "common/scene/flat_scene.h"

namespace firn {

std::map<std::string, std::string> pictureKeys(const std::string& toml, const std::string& name)
{
    std::map<std::string, std::string> keys = flatScene(toml, name);
    keys.erase("solver.threads");
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
