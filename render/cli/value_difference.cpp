#include "render/cli/value_difference.h"

#include <algorithm>

#include "common/error.h"
#include "common/scene/builder.h"
#include "render/cli/path_keys.h"

namespace firn {

Values sceneValues(const std::string& text)
{
    try {
        return pictureKeys(text, "a scene");
    } catch (const Error&) {
        return {};
    }
}

std::string difference(const Values& before, const Values& now, const Scene* scene, const std::string& placeBefore,
                       const std::string& placeNow)
{
    if (before.empty() || now.empty()) return "";
    Values keys = before;
    keys.insert(now.begin(), now.end());
    std::erase_if(keys, [&](const auto& entry) {
        const auto old = before.find(entry.first), wanted = now.find(entry.first);
        return old != before.end() && wanted != now.end() && old->second == wanted->second;
    });
    if (keys.empty()) return "";
    // The denoiser often follows from another option, such as --samples.
    const auto telling =
        std::ranges::find_if(keys, [](const auto& entry) { return !entry.first.ends_with("denoiser"); });
    const std::string& key = (telling == keys.end() ? keys.begin() : telling)->first;
    const auto text = [&](const Values& values) {
        const auto found = values.find(key);
        return found == values.end() ? "not set" : clampText(found->second, 60);
    };
    const std::size_t more = keys.size() - 1;
    return (scene ? namedPath(*scene, key) : key) + ": " + text(before) + " " + placeBefore + ", " + text(now) + " " +
           placeNow +
           (more == 0   ? ""
            : more == 1 ? "; 1 more value differs"
                        : "; " + std::to_string(more) + " more values differ");
}

}  // namespace firn
