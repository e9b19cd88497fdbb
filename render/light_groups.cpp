#include "render/light_groups.h"

#include <algorithm>

namespace firn {

std::vector<std::string> lightGroups(const std::vector<LightSpec>& lights)
{
    std::vector<std::string> groups;
    for (const LightSpec& light : lights) {
        if (light.group.empty() || light.group == restOfLights) continue;
        if (groups.empty()) groups.emplace_back(restOfLights);
        if (std::ranges::find(groups, light.group) == groups.end()) groups.push_back(light.group);
    }
    return groups;
}

int groupOf(const LightSpec& light, const std::vector<std::string>& groups)
{
    const auto found = std::ranges::find(groups, std::string(light.group));
    return found == groups.end() ? 0 : static_cast<int>(found - groups.begin());
}

}  // namespace firn
