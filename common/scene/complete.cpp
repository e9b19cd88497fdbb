// What completes a scene once all layers are read: names, presets, animation keys, paths.

#include <algorithm>

#include "common/scene/checks.h"
#include "common/scene/presets.h"
#include "common/scene/text_file.h"

namespace firn {

namespace {

const Origin default_name{"name by position"};

template <class List>
void nameList(Builder& builder, List& list, const std::string& word)
{
    const auto isTaken = [&](const std::string& name) {
        return std::ranges::any_of(list, [&](const auto& element) { return element.name == name; });
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].name.empty()) continue;
        std::size_t number = i + 1;
        while (isTaken(word + std::to_string(number))) ++number;
        list[i].name = word + std::to_string(number);
        builder.origins[join(join(word, std::to_string(i)), "name")] = default_name;
    }
}

/// Copies each key of `from` that was not given to `to` and says why.
void fill(Builder& builder, const Table& table, void* from, void* to, const std::string& path, const Origin& origin)
{
    for (const Key& key : table.keys) {
        const std::string key_path = join(path, key.name);
        if (builder.isGiven(key_path) || valueText(key, from, {}) == valueText(key, to, {})) continue;
        copyValue(key.field(from), key.field(to));
        builder.origins[key_path] = origin;
    }
}

/// Copies a key that both tables have, such as `position` of [camera] and of [[camera.key]].
void fillShared(Builder& builder, const Table& from_table, void* from, const Table& to_table, void* to,
                const std::string& path)
{
    for (const Key& key : to_table.keys) {
        const std::string key_path = join(path, key.name);
        const Key* source = from_table.key(key.name);
        if (key.name == "time_s" || !source || builder.isGiven(key_path)) continue;
        if (key.field(to).index() != source->field(from).index()) continue;
        const bool same = &from_table == &to_table;
        copyValue(source->field(from), key.field(to));
        builder.origins[key_path] = {same ? "as in the key before" : "as in " + std::string(from_table.title)};
    }
}

void fillKeys(Builder& builder, const Table& owner_table, void* owner, const std::string& path)
{
    const Child& keys = *owner_table.child("key");
    for (std::size_t i = 0; i < keys.size(owner); ++i) {
        const Table& from_table = i == 0 ? owner_table : keys.table();
        void* from = i == 0 ? owner : keys.at(owner, i - 1);
        fillShared(builder, from_table, from, keys.table(), keys.at(owner, i),
                   join(join(path, "key"), std::to_string(i)));
    }
}

void resolveFile(Builder& builder, std::filesystem::path& file, const std::string& path, bool allow_outside)
{
    if (file.empty()) return;
    file = resolveReferenced(file, builder.scene.file.parent_path(), allow_outside, builder.originOf(path));
}

}  // namespace

void addDefaultLights(Builder& builder)
{
    std::vector<LightSpec>& lights = builder.scene.lights;
    if (!lights.empty()) return;
    // Clear winter sky, exposed so that level clean snow in full light has a radiance just below 1:
    // (3.5 sin 35° + about 0.3 π) 0.93 / π = 0.87.
    LightSpec sun{.name = "sun", .color = Vec3d(1, 0.94, 0.86), .strength = 3.5};
    LightSpec sky{.name = "sky", .kind = LightKind::Sky, .color = Vec3d(0.35, 0.55, 1), .strength = 0.4};
    const Origin origin{"default light"};
    for (LightSpec* light : {&sun, &sky}) {
        lights.emplace_back();
        fill(builder, lightTable(), light, &lights.back(), "light." + std::to_string(lights.size() - 1), origin);
    }
}

void nameNameless(Builder& builder)
{
    nameList(builder, builder.scene.snow, "snow");
    nameList(builder, builder.scene.bodies, "body");
    nameList(builder, builder.scene.lights, "light");
}

void fillAnimationKeys(Builder& builder)
{
    for (std::size_t i = 0; i < builder.scene.bodies.size(); ++i)
        fillKeys(builder, bodyTable(), &builder.scene.bodies[i], "body." + std::to_string(i));
    fillKeys(builder, cameraTable(), &builder.scene.camera, "camera");
}

void applyPresets(Builder& builder)
{
    for (std::size_t i = 0; i < builder.scene.snow.size(); ++i) {
        SnowRegion& region = builder.scene.snow[i];
        SnowPreset preset = snowPreset(region.preset);
        const std::string path = "snow." + std::to_string(i);
        const Origin origin{"preset " + region.preset};
        fill(builder, snowMaterialTable(), &preset.material, &region.material, path + ".material", origin);
        fill(builder, snowNoiseTable(), &preset.noise, &region.noise, path + ".noise", origin);
        fill(builder, snowCrustTable(), &preset.crust, &region.crust, path + ".crust", origin);
    }
}

void resolveFiles(Builder& builder, bool allow_outside)
{
    Scene& scene = builder.scene;
    for (std::size_t i = 0; i < scene.snow.size(); ++i)
        resolveFile(builder, scene.snow[i].file, "snow." + std::to_string(i) + ".file", allow_outside);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        resolveFile(builder, scene.bodies[i].file, "body." + std::to_string(i) + ".file", allow_outside);
}

}  // namespace firn
