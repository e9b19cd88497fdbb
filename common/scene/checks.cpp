#include "common/scene/checks.h"

#include <algorithm>
#include <set>

#include "common/scene/scene_rules.h"

namespace firn {

namespace {

struct Rules : SceneRules {
    /// Whether a body, or one that carries it, moves as a whole.
    bool moves(const BodySpec& spec) const
    {
        const bool itself = spec.keys.size() > 1 || !spec.velocity.isZero(0) || spec.shape == BodyShape::Character ||
                            spec.root_motion != RootMotionKind::None;
        return itself ||
               (!spec.parent.empty() && moves(*std::ranges::find(builder.scene.bodies, spec.parent, &BodySpec::name)));
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
        const bool hasLayer = std::ranges::any_of(scene.snow, [](const SnowRegion& region) {
            return region.shape == SnowShape::Layer && !region.still && !region.source.isThere();
        });
        if (!hasLayer)
            fault("window.body",
                  "no [[snow]] is of shape = \"layer\", and only layers wait for the window; other regions "
                  "are simulated from the start");
    }

    void powder(const Scene& scene) const
    {
        for (std::size_t i = 0; i < scene.snow.size(); ++i) {
            const SnowPowder &powder = scene.snow[i].powder, none;
            const std::string table = nth("snow", i) + ".powder", path = table + ".share";
            if (powder.share == 0) {
                const std::string why = "[snow.powder] needs 'share' above 0, such as 0.05";
                if (powder.work_J_kg != none.work_J_kg) fault(table + ".work_J_kg", why);
                if (powder.grain_mm != none.grain_mm) fault(table + ".grain_mm", why);
                continue;
            }
            if (scene.snow[i].still)
                fault(path, "'" + scene.snow[i].name + "' is still and gives off no powder; remove [snow.powder]");
            if (scene.air.density_kg_m3 == 0)
                fault(path, "powder needs air: expected 'density_kg_m3' in [air], such as 1.29");
        }
    }

    void focus(const Camera& camera) const
    {
        if (camera.blades == 1 || camera.blades == 2)
            fault("camera.blades", "camera.blades is " + std::to_string(camera.blades) +
                                       ", expected 0 for a round aperture, or at least 3");
        constexpr double smallest = 0.1;
        if (camera.f_stop > 0 && camera.f_stop < smallest)
            fault("camera.f_stop", "camera.f_stop is " + numberText(camera.f_stop) +
                                       ", expected 0, which means that all is in focus, or at least 0.1");
        const bool isGiven = builder.isGiven("camera.f_stop");
        for (const char* key : {"focus_distance_m", "focus_body", "blades", "blade_rotation_deg"})
            if (!isGiven && builder.isGiven(join("camera", key)))
                fault(join("camera", key), join("camera", key) +
                                               " needs camera.f_stop, such as 2.8: without it, all is "
                                               "in focus");
        if (!camera.animation.file.empty()) {
            if (!camera.keys.empty())
                fault("camera.key", "[[camera.key]] and [camera.animation] both move the camera: use one");
            if (camera.f_stop > 0 && camera.focus_distance_m == 0 && camera.focus_body.empty())
                fault("camera.f_stop",
                      "camera.f_stop needs camera.focus_distance_m or camera.focus_body, because "
                      "[camera.animation] does not say what is in focus");
        } else if (builder.isGiven("camera.animation.camera") || builder.isGiven("camera.animation.clip")) {
            fault("camera.animation", "[camera.animation] needs 'file'");
        }
        if (camera.f_stop == 0) return;
        nearest(camera.focus_distance_m, camera.focal_length_mm, "camera");
        for (std::size_t i = 0; i < camera.keys.size(); ++i)
            nearest(camera.keys[i].focus_distance_m, camera.keys[i].focal_length_mm, nth("camera.key", i));
        if (camera.focus_body.empty()) return;
        if (named(camera.focus_body, "camera.focus_body").shape == BodyShape::Plane)
            fault("camera.focus_body", "'" + camera.focus_body + "' is a plane, which has no middle");
        if (camera.focus_distance_m > 0)
            fault("camera.focus_distance_m", "camera.focus_body and camera.focus_distance_m are both given: use one");
    }

    /// A lens cannot focus on what is nearer than its focal length.
    void nearest(double distance_m, double focalLength_mm, const std::string& path) const
    {
        if (distance_m == 0 || distance_m > 1e-3 * focalLength_mm) return;
        const std::string key = join(path, "focus_distance_m");
        fault(key, shown(key) + " is " + numberText(distance_m) + ", expected more than the focal length, " +
                       numberText(1e-3 * focalLength_mm) + " m");
    }

    void camera(const Camera& camera) const
    {
        if (camera.keys.empty() && camera.position == camera.look_at)
            fault("camera.look_at", "camera.look_at equals camera.position; the direction of view is undefined");
        focus(camera);
        times(camera.keys, "camera");
        for (std::size_t i = 0; i < camera.keys.size(); ++i)
            if (camera.keys[i].position == camera.keys[i].look_at)
                fault(nth("camera.key", i), "look_at is where the camera is; the direction of view is undefined");
    }

    void lightGroups(const Scene& scene) const
    {
        std::set<std::string> groups;
        for (std::size_t i = 0; i < scene.lights.size(); ++i) {
            const std::string& group = scene.lights[i].group;
            if (!group.empty() && group != restOfLights) groups.insert(group);
            if (groups.size() > mostLightGroups)
                fault(nth("light", i) + ".group", "the lights have more than " + std::to_string(mostLightGroups) +
                                                      " groups; each is a layer of the picture");
        }
    }

    void all(const Scene& scene) const
    {
        if (scene.snow.empty()) fail({scene.file.string()}, "the scene has no snow, expected at least one [[snow]]");
        names(scene.snow, "snow");
        names(scene.bodies, "body");
        names(scene.lights, "light");
        for (std::size_t i = 0; i < scene.snow.size(); ++i) checkSnow(builder, scene.snow[i], nth("snow", i));
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) checkBody(builder, scene.bodies[i], nth("body", i));
        for (std::size_t i = 0; i < scene.lights.size(); ++i) checkLight(builder, scene.lights[i], nth("light", i));
        lightGroups(scene);
        camera(scene.camera);
        window(scene);
        powder(scene);
    }
};

}  // namespace

void checkScene(const SceneBuilder& builder) { Rules{{builder}}.all(builder.scene); }

}  // namespace firn
