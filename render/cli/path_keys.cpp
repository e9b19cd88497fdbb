#include "render/cli/path_keys.h"

#include "common/scene/flat_scene.h"

namespace firn {

std::map<std::string, std::string> pathKeys(const std::string& toml, const std::string& name)
{
    std::map<std::string, std::string> keys = flatScene(toml, name);
    for (const char* key :
         {"render.seed", "render.spp", "render.view", "render.exposure", "render.half", "solver.threads"}) {
        keys.erase(key);
    }
    return keys;
}

}  // namespace firn
