#include "common/scene/checks.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "common/io/suggest.h"

namespace firn {

namespace {

struct Checks {
    const SceneBuilder& builder;

    [[noreturn]] void fault(const std::string& path, const std::string& message) const
    {
        fail(builder.originOf(path), message);
    }

    std::string shown(const std::string& path) const { return "'" + namedPath(builder.scene, path) + "'"; }

    /// Refuses keys that the chosen shape or kind does not use: the user surely meant something else.
    void used(const Table& table, void* object, const std::string& path, const std::string& name) const
    {
        for (const Key& key : table.keys) {
            if (applies(table, key, object) || !builder.isGiven(join(path, key.name))) continue;
            fault(join(path, key.name),
                  "'" + std::string(key.name) + "' of '" + name + "' does not apply to " + std::string(table.selector) +
                      " = " + valueText(*table.key(table.selector), object, {}) + "; it applies to: " + onlyList(key));
        }
    }

    template <class List>
    void names(const List& list, const std::string& word) const
    {
        std::set<std::string> seen;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!seen.insert(list[i].name).second)
                fault(nth(word, i) + ".name",
                      "a second [[" + word + "]] is named '" + list[i].name + "'; names must be unique");
    }

    template <class Keys>
    void times(const Keys& keys, const std::string& path) const
    {
        for (std::size_t i = 1; i < keys.size(); ++i)
            if (keys[i].time_s <= keys[i - 1].time_s)
                fault(nth(path + ".key", i) + ".time_s",
                      shown(nth(path + ".key", i) + ".time_s") + " is " + numberText(keys[i].time_s) +
                          ", expected more than " + numberText(keys[i - 1].time_s) + ", the time of the key before it");
    }

    /// Refuses a shape that needs a file but has none.
    template <class Spec>
    void file(const Table& table, Spec& spec, const std::string& path) const
    {
        if (spec.file.empty() && applies(table, *table.key("file"), &spec))
            fault(path, "'" + spec.name + "' needs a file");
    }

    /// Refuses ambiguous rotations between two keys: about several axes, and by more than 180 degrees about one of
    /// them.
    void turns(const std::vector<BodyKey>& keys, const std::string& path) const
    {
        for (std::size_t i = 1; i < keys.size(); ++i) {
            const Vec3d turn = keys[i].rotation_deg - keys[i - 1].rotation_deg;
            if ((turn.array() != 0).count() < 2 || turn.cwiseAbs().maxCoeff() <= 180) continue;
            const std::string key = nth(path + ".key", i);
            fault(key + ".rotation_deg", shown(key) +
                                             " turns by more than 180 degrees about several axes; expected a "
                                             "key between it and the key before");
        }
    }

    void snow(SnowRegion region, const std::string& path) const
    {
        used(snowTable(), &region, path, region.name);
        const bool isBox = region.shape == SnowShape::Box;
        const bool isLayer = region.shape == SnowShape::Layer;
        if ((isBox || isLayer) && !builder.isGiven(path + ".min") && !builder.isGiven(path + ".max"))
            fault(path, "'" + region.name + "' is a " + (isBox ? "box" : "layer") + " and needs 'min' and 'max' (m)");
        for (int axis = 0; axis < 3 && (isBox || isLayer); ++axis) {
            if (isLayer && axis == 1) continue;
            if (region.max[axis] > region.min[axis]) continue;
            const std::string blamed = builder.isGiven(path + ".max") ? path + ".max" : path;
            fault(blamed, "'" + region.name + "' is empty: max in " + "xyz"[axis] + " is " +
                              numberText(region.max[axis]) + ", expected more than min, " +
                              numberText(region.min[axis]));
        }
        if (region.shape == SnowShape::Sphere && region.radius_m <= 0)
            fault(path, "'" + region.name + "' is a sphere and needs 'radius_m', above 0 (m)");
        if (isLayer && region.depth_m <= 0)
            fault(path, "'" + region.name + "' is a layer and needs 'depth_m', above 0 (m)");
        file(snowTable(), region, path);
        ground(region, path);
        source(region, path);
    }

    void source(const SnowRegion& region, const std::string& path) const
    {
        const SnowSource& source = region.source;
        const std::string at = path + ".source", name = "'" + region.name + "'";
        if (!source.isThere()) {
            const std::string why = name + " needs 'start_s' or 'length_s' in [snow.source]";
            if (source.share != SnowSource().share) fault(at + ".share", why);
            if (!source.body.empty()) fault(at + ".body", why);
            return;
        }
        if (region.still) fault(at, name + " is still: it is there from the start and cannot come later");
        if (!region.spin_rad_s.isZero(0)) fault(path + ".spin_rad_s", name + " has a [snow.source] and cannot spin");
        if (region.volume == VolumeRule::Grid)
            fault(path + ".volume", "volume = \"grid\" needs all snow at the start and does not go with [snow.source]");
        if (source.length_s == 0) {
            if (!source.body.empty())
                fault(at + ".body", name + " comes at once and cannot be carried; a stream needs 'length_s'");
            return;
        }
        if (region.shape != SnowShape::Box && region.shape != SnowShape::Sphere)
            fault(at + ".length_s", name + " is no box or sphere; only these can be the mouth of a stream");
        if (region.velocity.isZero(0))
            fault(at + ".length_s", name + " has no velocity, so no snow flows out of it; expected 'velocity'");
        if (!source.body.empty() && named(source.body, at + ".body").shape == BodyShape::Character)
            fault(at + ".body", "'" + source.body + "' is a character; characters cannot carry a source");
    }

    void ground(const SnowRegion& region, const std::string& path) const
    {
        if (region.ground.empty()) {
            if (region.ground_slope_deg != SnowRegion().ground_slope_deg)
                fault(path + ".ground_slope_deg", "'" + region.name + "' needs 'ground', the name of a body, for it");
            return;
        }
        const BodySpec& body = named(region.ground, path + ".ground");
        if (!body.collides)
            fault(path + ".ground", "'" + body.name + "' does not collide with snow (collides = false)");
    }

    void body(BodySpec spec, const std::string& path) const
    {
        used(bodyTable(), &spec, path, spec.name);
        file(bodyTable(), spec, path);
        if (spec.shape == BodyShape::Character && !spec.keys.empty())
            fault(path + ".key.0",
                  "'" + spec.name + "' is a character: it moves as its file says and cannot have [[body.key]]");
        if (spec.shape == BodyShape::Plane && spec.normal.norm() < 1e-9)
            fault(path + ".normal", "the normal of '" + spec.name + "' has length 0");
        if (spec.shape == BodyShape::Box && spec.rounding_m * 2 > spec.size.minCoeff())
            fault(path + ".rounding_m", "rounding_m of '" + spec.name + "' is " + numberText(spec.rounding_m) +
                                            ", expected at most half of its shortest edge, " +
                                            numberText(spec.size.minCoeff() / 2));
        if (spec.shape == BodyShape::Terrain) terrain(spec, path);
        for (std::size_t i = 0; i < spec.places.size(); ++i) place(spec, spec.places[i], nth(path + ".place", i));
        times(spec.keys, path);
        turns(spec.keys, path);
        this->path(spec, path);
        parent(spec, path);
    }

    void place(const BodySpec& spec, const BodyPlace& place, const std::string& path) const
    {
        if (place.material.empty() && place.facing == Facing::Any)
            fault(path, "this place of '" + spec.name + "' needs 'material' or 'facing'; for all of the body, use " +
                            "'friction' and 'sticky' of [[body]]");
        if (!place.material.empty() && spec.shape != BodyShape::Mesh)
            fault(path + ".material",
                  "'" + spec.name + "' is not of shape = \"mesh\", so its materials are not known; " + "use 'facing'");
        if (place.friction == spec.friction && place.sticky == spec.sticky)
            fault(path,
                  "this place of '" + spec.name + "' changes nothing; give it a 'friction' of its own, or 'sticky'");
    }

    /// A picture of heights needs a size; a mesh has its own.
    void terrain(const BodySpec& spec, const std::string& path) const
    {
        const std::string extension = spec.file.extension().string(), name = "'" + spec.name + "'";
        const bool isMesh = extension == ".obj" || extension == ".ply" || extension == ".OBJ" || extension == ".PLY";
        if (isMesh && spec.size != BodySpec().size)
            fault(path + ".size", name + " is a mesh, which has its own size; use 'scale', or leave 'size' out");
        if (isMesh) return;
        if (!builder.isGiven(path + ".size"))
            fault(path, name + " is a picture of heights and needs 'size': width, height of a value of 1, length (m)");
        if (spec.scale != 1) fault(path + ".scale", name + " is a picture of heights; 'size' says how large it is");
        if (spec.up_axis != UpAxis::Y) fault(path + ".up_axis", name + " is a picture of heights, which has no axes");
    }

    /// Refuses nodes of parents that have none, and characters without the joint that carries.
    void parentNode(const BodySpec& spec, const std::string& path) const
    {
        if (spec.parent.empty()) {
            if (!spec.parent_node.empty())
                fault(path + ".parent_node", "'" + spec.name + "' needs 'parent', the name of a body, for it");
            return;
        }
        const BodySpec& body = named(spec.parent, path + ".parent");
        const bool isCharacter = body.shape == BodyShape::Character;
        if (isCharacter && spec.parent_node.empty())
            fault(path + ".parent", "'" + body.name + "' is a character; say which of its joints carries '" +
                                        spec.name + "' with 'parent_node'");
        if (!isCharacter && !spec.parent_node.empty() && !hasNodes(body))
            fault(path + ".parent_node",
                  "'" + body.name + "' has no nodes; only characters and files .glb, .gltf and .fbx have");
    }

    static bool hasNodes(const BodySpec& spec)
    {
        std::string extension = spec.file.extension().string();
        std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
        return spec.shape == BodyShape::Mesh && (extension == ".glb" || extension == ".gltf" || extension == ".fbx");
    }

    void path(const BodySpec& spec, const std::string& path) const
    {
        if (spec.path.empty()) return;
        if (spec.root_motion == RootMotionKind::None)
            fault(path + ".path.0", "'" + spec.name +
                                        "' needs root_motion = \"feet\" to walk along a path; for other " +
                                        "motions use [[body.key]]");
        if (spec.path.size() == 1) fault(path + ".path.0", "the path of '" + spec.name + "' needs a second point");
        for (std::size_t i = 1; i < spec.path.size(); ++i)
            if ((spec.path[i].position - spec.path[i - 1].position).norm() < 1e-3)
                fault(nth(path + ".path", i), "two points of the path of '" + spec.name + "' are at the same place");
    }

    /// Refuses parents that are not there, that cannot carry, or that carry themselves.
    void parent(const BodySpec& spec, const std::string& path) const
    {
        parentNode(spec, path);
        std::set<std::string> seen = {spec.name};
        for (std::string name = spec.parent; !name.empty();) {
            const BodySpec* found = &named(name, path + ".parent");
            if (!seen.insert(name).second)
                fault(path + ".parent", "'" + spec.name + "' would carry itself, by way of '" + spec.parent + "'");
            name = found->parent;
        }
    }

    /// Whether a body, or one that carries it, moves as a whole.
    bool moves(const BodySpec& spec) const
    {
        const bool itself = spec.keys.size() > 1 || !spec.velocity.isZero(0) || spec.shape == BodyShape::Character ||
                            spec.root_motion != RootMotionKind::None;
        return itself ||
               (!spec.parent.empty() && moves(*std::ranges::find(builder.scene.bodies, spec.parent, &BodySpec::name)));
    }

    /// The body that a key names.
    const BodySpec& named(const std::string& name, const std::string& path) const
    {
        const auto& bodies = builder.scene.bodies;
        const auto found = std::ranges::find(bodies, name, &BodySpec::name);
        if (found != bodies.end()) return *found;
        std::vector<std::string_view> names;
        names.reserve(bodies.size());
        for (const BodySpec& body : bodies) names.push_back(body.name);
        fault(path, "there is no body named '" + name + "'" + didYouMean(name, names));
    }

    void window(const Scene& scene) const
    {
        if (scene.window.body.empty()) {
            const std::string why = "[window] needs 'body', the name of the body that it follows";
            if (scene.window.reach_m != Window().reach_m) fault("window.reach_m", why);
            if (scene.window.trail_s != Window().trail_s) fault("window.trail_s", why);
            return;
        }
        const BodySpec& body = named(scene.window.body, "window.body");
        if (body.shape == BodyShape::Plane)
            fault("window.body", "'" + body.name + "' is a plane, which has no bounds that a window could follow");
        if (!body.collides) fault("window.body", "'" + body.name + "' does not collide with snow (collides = false)");
        if (!scene.solver.sleeping || !scene.solver.plasticity)
            fault("window.body", std::string("[window] needs solver.") +
                                     (scene.solver.sleeping ? "plasticity" : "sleeping") +
                                     " = true: snow waits asleep until the body comes");
        for (std::size_t i = 0; i < scene.snow.size(); ++i)
            if (!scene.snow[i].ground.empty() && moves(named(scene.snow[i].ground, nth("snow", i) + ".ground")))
                fault(nth("snow", i) + ".ground", "'" + scene.snow[i].ground +
                                                      "' moves; snow that lies on a body that moves does not go with "
                                                      "[window]");
        for (std::size_t i = 0; i < scene.snow.size(); ++i)
            if (scene.snow[i].volume == VolumeRule::Grid)
                fault(nth("snow", i) + ".volume",
                      "volume = \"grid\" needs all snow at the start and does not go with [window]");
    }

    void light(LightSpec spec, const std::string& path) const { used(lightTable(), &spec, path, spec.name); }

    void camera(const Camera& camera) const
    {
        if (camera.keys.empty() && camera.position == camera.look_at)
            fault("camera.look_at", "camera.look_at equals camera.position; the direction of view is undefined");
        times(camera.keys, "camera");
        for (std::size_t i = 0; i < camera.keys.size(); ++i)
            if (camera.keys[i].position == camera.keys[i].look_at)
                fault(nth("camera.key", i), "look_at is where the camera is; the direction of view is undefined");
    }

    void all(const Scene& scene) const
    {
        if (scene.snow.empty()) fail({scene.file.string()}, "the scene has no snow, expected at least one [[snow]]");
        names(scene.snow, "snow");
        names(scene.bodies, "body");
        names(scene.lights, "light");
        for (std::size_t i = 0; i < scene.snow.size(); ++i) snow(scene.snow[i], nth("snow", i));
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) body(scene.bodies[i], nth("body", i));
        for (std::size_t i = 0; i < scene.lights.size(); ++i) light(scene.lights[i], nth("light", i));
        camera(scene.camera);
        window(scene);
    }
};

}  // namespace

void checkScene(const SceneBuilder& builder) { Checks{builder}.all(builder.scene); }

}  // namespace firn
