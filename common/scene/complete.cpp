// Completes a scene after all layers are read: names, presets, animation keys, paths.

#include <algorithm>

#include "common/io/frame_range.h"
#include "common/scene/checks.h"
#include "common/scene/lighting.h"
#include "common/scene/presets.h"
#include "common/scene/sun_position.h"
#include "common/scene/text_file.h"

namespace firn {

namespace {

const Origin defaultName{"generated name"};

template <class List>
void nameList(SceneBuilder& builder, List& list, const std::string& word)
{
    const auto isTaken = [&](const std::string& name) {
        return std::ranges::any_of(list, [&](const auto& element) { return element.name == name; });
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].name.empty()) continue;
        std::size_t number = i + 1;
        while (isTaken(word + std::to_string(number))) ++number;
        list[i].name = word + std::to_string(number);
        builder.origins[join(join(word, std::to_string(i)), "name")] = defaultName;
    }
}

/// Copies each key that no layer gave from `from` to `to`, with `origin` as its origin.
void fill(SceneBuilder& builder, const Table& table, void* from, void* to, const std::string& path,
          const Origin& origin)
{
    for (const Key& key : table.keys) {
        const std::string keyPath = join(path, key.name);
        if (builder.isGiven(keyPath) || valueText(key, from, {}) == valueText(key, to, {})) continue;
        copyValue(key.field(from), key.field(to));
        builder.origins[keyPath] = origin;
    }
}

/// Copies each key that both tables have, such as `position` of [camera] and of [[camera.key]], if no layer gave it.
void fillShared(SceneBuilder& builder, const Table& fromTable, void* from, const Table& toTable, void* to,
                const std::string& path)
{
    for (const Key& key : toTable.keys) {
        const std::string keyPath = join(path, key.name);
        const Key* source = fromTable.key(key.name);
        if (key.name == "time_s" || !source || builder.isGiven(keyPath)) continue;
        if (key.field(to).index() != source->field(from).index()) continue;
        const bool same = &fromTable == &toTable;
        copyValue(source->field(from), key.field(to));
        builder.origins[keyPath] = {same ? "same as the key before" : "same as " + std::string(fromTable.title)};
    }
}

void fillKeys(SceneBuilder& builder, const Table& ownerTable, void* owner, const std::string& path)
{
    const Child& keys = *ownerTable.child("key");
    for (std::size_t i = 0; i < keys.size(owner); ++i) {
        const Table& fromTable = i == 0 ? ownerTable : keys.table();
        void* from = i == 0 ? owner : keys.at(owner, i - 1);
        fillShared(builder, fromTable, from, keys.table(), keys.at(owner, i),
                   join(join(path, "key"), std::to_string(i)));
    }
}

/// The paper's snow moves as in the paper where all of the scene's snow is of that preset.
void usePapersMethod(SceneBuilder& builder)
{
    Scene& scene = builder.scene;
    const auto isPapers = [](const SnowRegion& region) { return region.preset == "paper"; };
    if (scene.snow.empty() || !std::ranges::all_of(scene.snow, isPapers)) return;
    const auto choose = [&](const std::string& path, auto& value, auto papers) {
        if (builder.isGiven(path)) return;
        value = papers;
        builder.origins[path] = {"preset paper"};
    };
    choose("solver.transfer", scene.solver.transfer, Transfer::Flip);
    choose("solver.contact", scene.solver.contact, ContactMethod::Nodes);
}

/// The pattern of a sequence, of which at least one file must be there.
std::filesystem::path resolvePattern(const SceneBuilder& builder, const std::filesystem::path& pattern,
                                     const std::string& path, bool allowOutside)
{
    const std::filesystem::path folder = builder.scene.file.parent_path();
    const std::vector<int> frames = existingFrames(folder / pattern);
    // Without a file, the message is about the pattern itself.
    const std::filesystem::path first = frames.empty() ? pattern : framePath(pattern, frames.front());
    return resolveReferenced(first, folder, allowOutside, builder.originOf(path)).parent_path() / pattern.filename();
}

/// Of a region of snow, its mask, a body, its picture, a light, or the camera.
template <class Spec>
void resolveFile(const SceneBuilder& builder, Spec& spec, const std::string& path, bool allowOutside)
{
    std::filesystem::path& file = spec.file;
    if (file.empty()) return;
    spec.file_place = builder.originOf(path).place();
    file = isFramePattern(file)
               ? resolvePattern(builder, file, path, allowOutside)
               : resolveReferenced(file, builder.scene.file.parent_path(), allowOutside, builder.originOf(path));
}

}  // namespace

void addDefaultLights(SceneBuilder& builder)
{
    std::vector<LightSpec>& lights = builder.scene.lights;
    if (!lights.empty()) return;
    // A clear winter sky. The sun is low and stands at the side of the default camera, so that relief shows. With these
    // strengths, level clean snow in full light has a radiance of (3.6 sin 25° + about 0.3 π) 0.93 / π = 0.73: faces
    // that are turned to the sun are not burnt out.
    LightSpec sun{
        .name = "sun", .color = Vec3d(1, 0.94, 0.86), .strength = 3.6, .elevation_deg = 25, .azimuth_deg = -55};
    LightSpec sky{.name = "sky", .kind = LightKind::Sky, .color = Vec3d(0.35, 0.55, 1), .strength = 0.4};
    const Origin origin{"default light"};
    for (LightSpec* light : {&sun, &sky}) {
        lights.emplace_back();
        fill(builder, lightTable(), light, &lights.back(), "light." + std::to_string(lights.size() - 1), origin);
    }
}

void placeSuns(SceneBuilder& builder)
{
    for (std::size_t i = 0; i < builder.scene.lights.size(); ++i) {
        LightSpec& light = builder.scene.lights[i];
        if (light.when.empty()) continue;
        const SunAngles angles = sunAngles(light);
        light.elevation_deg = angles.elevation_deg;
        light.azimuth_deg = angles.azimuth_deg;
        for (const char* key : {"elevation_deg", "azimuth_deg"})
            builder.origins[join(nth("light", i), key)] = {"from 'when'"};
    }
}

void replaceLights(SceneBuilder& builder)
{
    Scene& scene = builder.scene;
    const std::string& lighting = scene.render.lighting;
    if (lighting == lightingNames().front()) return;
    // Origins without a line are defaults, generated names, and what is given outside of files.
    for (const auto& [path, origin] : builder.origins)
        if (path.starts_with("light.") && origin.line == 0 && !origin.source.starts_with("default") &&
            origin.source != defaultName.source)
            fail(origin, "'" + namedPath(scene, path) + "' has no effect: render.lighting = " + quotedText(lighting) +
                             " replaces the lights of the scene");
    std::erase_if(builder.origins, [](const auto& entry) { return entry.first.starts_with("light."); });
    scene.lights.clear();
    for (LightSpec& light : readyLights(lighting, scene.camera)) {
        const std::string path = nth("light", scene.lights.size());
        scene.lights.emplace_back();
        fill(builder, lightTable(), &light, &scene.lights.back(), path, {"lighting " + lighting});
    }
}

void nameNameless(SceneBuilder& builder)
{
    nameList(builder, builder.scene.snow, "snow");
    nameList(builder, builder.scene.bodies, "body");
    nameList(builder, builder.scene.lights, "light");
}

void fillAnimationKeys(SceneBuilder& builder)
{
    for (std::size_t i = 0; i < builder.scene.bodies.size(); ++i) {
        BodySpec& body = builder.scene.bodies[i];
        const std::string path = nth("body", i);
        fillKeys(builder, bodyTable(), &body, path);
        for (std::size_t k = 0; k < body.places.size(); ++k)
            fillShared(builder, bodyTable(), &body, bodyPlaceTable(), &body.places[k], nth(path + ".place", k));
    }
    fillKeys(builder, cameraTable(), &builder.scene.camera, "camera");
}

void applyPresets(SceneBuilder& builder)
{
    for (std::size_t i = 0; i < builder.scene.snow.size(); ++i) {
        SnowRegion& region = builder.scene.snow[i];
        SnowPreset preset = snowPreset(region.preset);
        const std::string path = "snow." + std::to_string(i);
        const Origin origin{"preset " + region.preset};
        fill(builder, snowMaterialTable(), &preset.material, &region.material, path + ".material", origin);
        fill(builder, snowNoiseTable(), &preset.noise, &region.noise, path + ".noise", origin);
        fill(builder, snowCrustTable(), &preset.crust, &region.crust, path + ".crust", origin);
        fill(builder, snowSeamsTable(), &preset.seams, &region.seams, path + ".seams", origin);
        fill(builder, snowLookTable(), &preset.look, &region.look, path + ".look", origin);
    }
    usePapersMethod(builder);
}

void resolveFiles(SceneBuilder& builder, bool allowOutside)
{
    Scene& scene = builder.scene;
    for (std::size_t i = 0; i < scene.snow.size(); ++i) {
        resolveFile(builder, scene.snow[i], nth("snow", i) + ".file", allowOutside);
        resolveFile(builder, scene.snow[i].mask, nth("snow", i) + ".mask.file", allowOutside);
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        resolveFile(builder, scene.bodies[i], nth("body", i) + ".file", allowOutside);
        resolveFile(builder, scene.bodies[i].picture, nth("body", i) + ".picture.file", allowOutside);
    }
    for (std::size_t i = 0; i < scene.lights.size(); ++i)
        resolveFile(builder, scene.lights[i], nth("light", i) + ".file", allowOutside);
    resolveFile(builder, scene.camera.animation, "camera.animation.file", allowOutside);
}

}  // namespace firn
