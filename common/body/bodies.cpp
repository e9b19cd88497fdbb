#include <algorithm>
#include <stdexcept>

#include "common/body/body.h"
#include "common/body/character.h"
#include "common/body/level_set.h"
#include "common/body/mesh.h"
#include "common/body/mesh_file.h"
#include "common/body/rigid_piece.h"
#include "common/body/shapes.h"
#include "common/error.h"

namespace firn {
namespace {

[[noreturn]] void refuse(const Scene& scene, const BodySpec& spec, const std::string& what)
{
    throw Error(ExitCode::Usage, scene.file.string() + ": body \"" + clampText(spec.name) + "\": " + what);
}

void requirePositive(const Scene& scene, const BodySpec& spec, const char* key, double value)
{
    if (!(value > 0)) refuse(scene, spec, std::string(key) + " = " + std::to_string(value) + "; expected more than 0");
}

/// Half a solver cell unless the scene says otherwise; contact looks three cells ahead.
LevelSetOptions levelSetOptions(const Scene& scene, const BodySpec& spec)
{
    return {spec.voxel_m > 0 ? spec.voxel_m : 0.5 * scene.solver.dx, 3 * scene.solver.dx,
            "body \"" + clampText(spec.name) + "\", " + spec.file.string()};
}

std::shared_ptr<const Shape> meshShape(const Scene& scene, const BodySpec& spec)
{
    TriangleMesh mesh = loadMesh(spec.file, spec.scale, spec.up_axis);
    const LevelSetOptions options = levelSetOptions(scene, spec);
    checkClosed(mesh, options.source);
    return makeLevelSet(std::move(mesh), options);
}

std::shared_ptr<const Shape> vdbShape(const Scene& scene, const BodySpec& spec)
{
    double fileVoxel_m = 0;
    TriangleMesh mesh = loadVdbSurface(spec.file, spec.scale, spec.up_axis, fileVoxel_m);
    LevelSetOptions options = levelSetOptions(scene, spec);
    if (!(spec.voxel_m > 0)) options.voxel_m = std::max(options.voxel_m, fileVoxel_m);
    return makeLevelSet(std::move(mesh), options);
}

std::shared_ptr<const Shape> makeShape(const Scene& scene, const BodySpec& spec)
{
    switch (spec.shape) {
        case BodyShape::Plane:
            requirePositive(scene, spec, "length of normal", spec.normal.norm());
            return makePlane(spec.normal);
        case BodyShape::Box:
            requirePositive(scene, spec, "size", spec.size.minCoeff());
            if (spec.rounding_m > 0.5 * spec.size.minCoeff())
                refuse(scene, spec,
                       "rounding_m = " + std::to_string(spec.rounding_m) +
                           "; expected at most half the shortest edge, " + std::to_string(0.5 * spec.size.minCoeff()));
            return makeBox(spec.size, spec.rounding_m);
        case BodyShape::Sphere:
            requirePositive(scene, spec, "radius_m", spec.radius_m);
            return makeSphere(spec.radius_m);
        case BodyShape::Capsule:
            requirePositive(scene, spec, "radius_m", spec.radius_m);
            if (!(spec.length_m >= 0)) refuse(scene, spec, "length_m is negative");
            return makeCapsule(spec.radius_m, spec.length_m);
        case BodyShape::Mesh:
            requirePositive(scene, spec, "scale", spec.scale);
            return meshShape(scene, spec);
        case BodyShape::Vdb:
            requirePositive(scene, spec, "scale", spec.scale);
            return vdbShape(scene, spec);
        case BodyShape::Character:
            break;
    }
    refuse(scene, spec, "this shape has several pieces");
}

std::shared_ptr<const Motion> makeMotion(const Scene& scene, const BodySpec& spec)
{
    if (spec.keys.empty()) return makeStaticMotion({rotationFromEuler(spec.rotation_deg), spec.position});
    try {
        return makeKeyframeMotion(spec.keys);
    } catch (const std::invalid_argument& error) {
        refuse(scene, spec, error.what());
    }
}

std::vector<RigidPart> characterParts(const Scene& scene, const BodySpec& spec)
{
    requirePositive(scene, spec, "scale", spec.scale);
    requirePositive(scene, spec, "radius_scale", spec.radius_scale);
    CharacterDetail detail;
    // A boot's level set is never coarser than what its sole needs.
    detail.voxel_m = spec.voxel_m > 0 ? spec.voxel_m : std::min(0.5 * scene.solver.dx, 0.01);
    detail.band_m = 3 * scene.solver.dx;
    return makeCharacter(spec, detail);
}

std::vector<RigidPart> rigidParts(const Scene& scene, const BodySpec& spec)
{
    if (spec.shape == BodyShape::Character) return characterParts(scene, spec);
    return {{spec.name, makeShape(scene, spec), makeMotion(scene, spec)}};
}

}  // namespace

std::vector<Body> makeBodies(const Scene& scene)
{
    std::vector<Body> bodies;
    for (const BodySpec& spec : scene.bodies) {
        Body body{spec.name, spec.visible, spec.color, {}};
        for (RigidPart& part : rigidParts(scene, spec))
            body.pieces.push_back(makeRigidPiece(std::move(part), {spec.friction, spec.sticky}));
        bodies.push_back(std::move(body));
    }
    return bodies;
}

std::vector<std::unique_ptr<const PlacedPiece>> placeAll(const std::vector<Body>& bodies, double start_s,
                                                         double length_s)
{
    std::vector<std::unique_ptr<const PlacedPiece>> placed;
    for (const Body& body : bodies)
        for (const auto& piece : body.pieces) placed.push_back(piece->place(start_s, length_s));
    return placed;
}

}  // namespace firn
