// What no single key of [[body]] can tell.

#include <cmath>

#include "common/io/extension.h"
#include "common/scene/scene_rules.h"

namespace firn {

namespace {

struct BodyRules : SceneRules {
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
        if (spec.picture.file.empty() && spec.picture.width_m != BodyPicture().width_m)
            fault(path + ".picture.width_m", "[body.picture] of '" + spec.name + "' needs a 'file'");
        for (std::size_t i = 0; i < spec.places.size(); ++i) place(spec, spec.places[i], nth(path + ".place", i));
        times(spec.keys, path);
        turns(spec.keys, path);
        if (spec.root_motion != RootMotionKind::None && !hasNodes(spec))
            fault(
                path + ".root_motion",
                "'" + spec.name +
                    "' has no clip that walks: root_motion is for bodies from .glb, .gltf and .fbx, and its file is " +
                    spec.file.filename().string());
        if (!spec.clip.empty() && spec.shape == BodyShape::Mesh && !hasNodes(spec))
            fault(path + ".clip", "'" + spec.name +
                                      "' has no clips: they are in .glb, .gltf and .fbx files, and its file is " +
                                      spec.file.filename().string());
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
                  "'" + spec.name + "' is not of shape = \"mesh\", so its materials are not known; use 'facing'");
        if (place.friction == spec.friction && place.sticky == spec.sticky)
            fault(path,
                  "this place of '" + spec.name + "' changes nothing; give it a 'friction' of its own, or 'sticky'");
    }

    /// A picture of heights needs a size; a mesh has its own.
    void terrain(const BodySpec& spec, const std::string& path) const
    {
        const std::string extension = lowerExtension(spec.file), name = "'" + spec.name + "'";
        const bool isMesh = extension == ".obj" || extension == ".ply";
        if (!isMesh && extension != ".exr" && extension != ".png")
            fault(path + ".file", name + " is a terrain, and its file has the extension \"" + clampText(extension, 20) +
                                      "\"; expected a mesh as .obj or .ply, or heights as .exr or .png");
        if (isMesh && spec.size != BodySpec().size)
            fault(path + ".size", name + " is a mesh, which has its own size; use 'scale', or leave 'size' out");
        if (isMesh) return;
        if (!builder.isGiven(path + ".size"))
            fault(path, name + " is a picture of heights and needs 'size': width, height of a value of 1, length (m)");
        if (spec.scale != 1) fault(path + ".scale", name + " is a picture of heights; 'size' says how large it is");
        if (spec.up_axis != UpAxis::Y) fault(path + ".up_axis", name + " is a picture of heights, which has no axes");
    }

    void path(const BodySpec& spec, const std::string& path) const
    {
        if (spec.path.empty()) return;
        const std::string name = "'" + spec.name + "'", first = path + ".path.0";
        if (spec.root_motion == RootMotionKind::None)
            fault(first,
                  name + " needs root_motion = \"feet\" to walk along a path; for other motions use [[body.key]]");
        if (!spec.velocity.isZero(0) || spec.keys.size() > 1)
            fault(first,
                  name + " has a path and also 'velocity' or [[body.key]], which would move it away from the path");
        if (spec.path.size() == 1) fault(first, "the path of " + name + " needs a second point");
        for (std::size_t i = 1; i < spec.path.size(); ++i) step(spec, i, nth(path + ".path", i));
    }

    /// The step of a path to a point.
    void step(const BodySpec& spec, std::size_t i, const std::string& path) const
    {
        const auto from = [&](std::size_t to) -> Vec3d { return spec.path[to].position - spec.path[to - 1].position; };
        const std::string start = "the path of '" + spec.name + "' ";
        const Vec3d here = from(i);
        if (here.norm() < 1e-3) fault(path, start + "has two points at the same place");
        if (std::abs(here.y()) > std::tan(pi / 3) * std::hypot(here.x(), here.z()))
            fault(path, start + "is steeper than 60 degrees there");
        if (i > 1 && here.dot(from(i - 1)) < std::cos(pi * 5 / 6) * here.norm() * from(i - 1).norm())
            fault(path, start + "turns back on itself there; expected a turn of at most 150 degrees");
    }

    /// Refuses parents that are not there, that cannot carry, or that carry themselves.
    void parent(const BodySpec& spec, const std::string& path) const
    {
        carried(spec.name, spec.parent, spec.parent_node, path);
        std::set<std::string> seen = {spec.name};
        for (std::string name = spec.parent; !name.empty();) {
            const BodySpec* found = &named(name, path + ".parent");
            if (!seen.insert(name).second)
                fault(path + ".parent", "'" + spec.name + "' would carry itself, by way of '" + spec.parent + "'");
            name = found->parent;
        }
    }
};

}  // namespace

void checkBody(const SceneBuilder& builder, const BodySpec& spec, const std::string& path)
{
    BodyRules{{builder}}.body(spec, path);
}

}  // namespace firn
