#include "common/scene/load.h"

#include "common/scene/builder.h"
#include "common/scene/checks.h"
#include "common/scene/overrides.h"
#include "common/scene/takes.h"
#include "common/scene/text_file.h"

namespace firn {

namespace fs = std::filesystem;

namespace {

using Layers = std::vector<std::pair<toml::table, Source>>;

void readIncluded(Layers& layers, const toml::table& main, const Source& mainSource, const fs::path& file,
                  bool allowOutside)
{
    const toml::node* include = main.get("include");
    if (!include) return;
    const Origin where = mainSource.at(include->source());
    const auto name = include->value_exact<std::string>();
    if (!name || name->empty()) fail(where, "'include' is not text, expected the path of a scene file");
    const fs::path path = resolveReferenced(*name, file.parent_path(), allowOutside, where);
    std::error_code error;
    if (fs::equivalent(path, file, error)) fail(where, "the scene includes itself");
    const Source source{path.string()};
    toml::table table = parseToml(readSceneText(path, where), source);
    if (const toml::node* second = table.get("include")) {
        const auto next = second->value<std::string>();
        const bool isCycle = next && fs::equivalent(file.parent_path() / *next, file, error);
        fail(source.at(second->source()), isCycle ? "this file and '" + file.string() + "' include each other"
                                                  : "an included file may not include another one");
    }
    layers.emplace_back(std::move(table), source);
}

LoadedScene finish(SceneBuilder& builder, const SceneOptions& options)
{
    fillAnimationKeys(builder);
    replaceLights(builder);
    applyPresets(builder);
    checkScene(builder);
    placeSuns(builder);
    resolveFiles(builder, options.allow_outside);
    LoadedScene loaded;
    loaded.scene = std::move(builder.scene);
    for (const auto& [path, origin] : builder.origins) loaded.origins.emplace(path, origin.brief());
    return loaded;
}

}  // namespace

LoadedScene loadSceneText(const std::string& text, const fs::path& file, const SceneOptions& options)
{
    const Source mainSource{file.string()};
    toml::table main = parseToml(text, mainSource);
    Layers layers;  // the included file comes first, so that the including file overwrites it
    readIncluded(layers, main, mainSource, file, options.allow_outside);
    layers.emplace_back(std::move(main), mainSource);

    SceneBuilder builder;
    builder.scene.file = file;
    builder.scene.name = file.stem().string();
    Qualities qualities;
    for (const auto& [table, source] : layers) {
        builder.apply(table, source);
        readQuality(table, source, qualities);
    }
    addDefaultLights(builder);
    nameNameless(builder);
    std::vector<Take> takes;
    for (const auto& [table, source] : layers) {
        if (table.contains("take")) takes = readTakes(table, source, builder);
    }
    applyQuality(builder, qualities, options.quality);
    applyEnvironment(builder);
    applySet(builder, options.set, "--set ");
    applySet(builder, options.take_set, "the take's setting ");
    LoadedScene loaded = finish(builder, options);
    loaded.takes = std::move(takes);
    return loaded;
}

LoadedScene loadScene(const fs::path& file, const SceneOptions& options)
{
    return loadSceneText(readSceneText(file, {file.string()}), file, options);
}

}  // namespace firn
