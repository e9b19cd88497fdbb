#include "render/cli/replaced_pictures.h"

#include <algorithm>
#include <array>
#include <map>

#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/scene/builder.h"
#include "common/scene/flat_scene.h"
#include "common/scene/hash.h"

namespace firn {

namespace {

namespace fs = std::filesystem;
using Values = std::map<std::string, std::string>;

/// Set by --frames, --spp, --res, --seed, --format, --view and --exposure.
constexpr std::array valuesOfOptions{"frames",      "render.spp",  "render.width", "render.height",
                                     "render.seed", "render.half", "render.view",  "render.exposure"};

/// None of a file that is missing or cannot be read.
Metadata metadataOf(const fs::path& picture)
{
    try {
        return readExrMetadata(picture);
    } catch (const Error&) {
        return {};
    }
}

std::string textIn(const Metadata& metadata, const std::string& key)
{
    const auto found = metadata.find(key);
    const std::string* text = found == metadata.end() ? nullptr : std::get_if<std::string>(&found->second);
    return text ? *text : "";
}

Values valuesOf(const std::string& scene)
{
    Values values;
    try {
        values = flatScene(scene, "firn.scene_toml");
    } catch (const Error&) {  // of another version
    }
    for (const char* key : valuesOfOptions) values.erase(key);
    return values;
}

/// Of the simulation that a picture shows; "" if it is not recorded.
std::string simulationOf(const Metadata& picture)
{
    const std::string hash = textIn(picture, simulationAttribute);
    return hash.empty() ? textIn(picture, "firn.scene_hash") : hash;
}

Values ofSimulation(Values values, const Scene& scene)
{
    const std::map<std::string, std::string> keys = simulationKeys(scene);
    std::erase_if(values, [&](const auto& entry) { return !keys.contains(entry.first); });
    return values;
}

/// "camera.position: [0, 0, 1] in the picture, [0, 0, 2] now; 2 more values differ". "": none differs.
std::string difference(const Values& before, const Values& now, const Scene& scene)
{
    Values keys = before;
    keys.insert(now.begin(), now.end());
    std::erase_if(keys, [&](const auto& entry) {
        const auto old = before.find(entry.first), wanted = now.find(entry.first);
        return old != before.end() && wanted != now.end() && old->second == wanted->second;
    });
    if (keys.empty()) return "";
    const std::string& key = keys.begin()->first;
    const auto text = [&](const Values& values) {
        const auto found = values.find(key);
        return found == values.end() ? "not set" : clampText(found->second, 60);
    };
    const std::size_t more = keys.size() - 1;
    return namedPath(scene, key) + ": " + text(before) + " in the picture, " + text(now) + " now" +
           (more == 0   ? ""
            : more == 1 ? "; 1 more value differs"
                        : "; " + std::to_string(more) + " more values differ");
}

[[noreturn]] void refuse(const fs::path& picture, const std::string& differs)
{
    throw Error(ExitCode::Usage, picture.string() + " is a picture of another simulation" +
                                     (differs.empty() ? "" : " (" + differs + ")") +
                                     ". Choose another --out, or replace it with --force");
}

}  // namespace

std::string requireSameSimulation(const PictureLayout& layout, const std::vector<int>& frames,
                                  const WantedScene& wanted, bool force)
{
    const Values now = valuesOf(wanted.values);
    std::size_t count = 0;
    std::string first;
    for (const int frame : frames) {
        const fs::path picture = layout.exrPath(frame);
        const Metadata metadata = metadataOf(picture);
        const std::string values = textIn(metadata, sceneAttribute), simulation = simulationOf(metadata);
        if (values.empty()) continue;
        const Values before = valuesOf(values);
        const std::string rendered = sceneHashIn(CacheLayout{wanted.cache}.framePath(frame));
        if (!force && !simulation.empty() && !rendered.empty() && simulation != rendered)
            refuse(picture,
                   difference(ofSimulation(before, wanted.scene), ofSimulation(now, wanted.scene), wanted.scene));
        const std::string differs = difference(before, now, wanted.scene);
        if (!differs.empty() && count++ == 0) first = picture.string() + " (" + differs + ")";
    }
    if (count == 0) return "";
    return (count == 1 ? "1 picture is" : std::to_string(count) + " pictures are") + " replaced that " +
           (count == 1 ? "was" : "were") + " made with other values of the scene: " + first;
}

void refuseCheaper(const fs::path& picture, const std::string& work)
{
    throw Error(ExitCode::Usage, picture.string() + " is a picture with " + work +
                                     ", more than now. Choose another --out, or replace it with --force");
}

void requireNoBetterPicture(const fs::path& picture, const Metadata& now)
{
    const Metadata before = metadataOf(picture);
    const std::string simulation = simulationOf(before), wanted = simulationOf(now);
    if (!simulation.empty() && !wanted.empty() && simulation != wanted) refuse(picture, "");
    const int* const paths = metadataAt<int>(before, "firn.spp");
    const int* const pathsNow = metadataAt<int>(now, "firn.spp");
    if (paths != nullptr && pathsNow != nullptr && *paths > *pathsNow)
        refuseCheaper(picture, std::to_string(*paths) + " paths per pixel");
}

}  // namespace firn
