#include <algorithm>

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

/// Voxels of half a solver cell, unless the scene gives their size; contact needs distances up to three cells away.
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
            return makePlane(spec.normal);
        case BodyShape::Box:
            return makeBox(spec.size, spec.rounding_m);
        case BodyShape::Sphere:
            return makeSphere(spec.radius_m);
        case BodyShape::Capsule:
            return makeCapsule(spec.radius_m, spec.length_m);
        case BodyShape::Mesh:
            return meshShape(scene, spec);
        case BodyShape::Vdb:
            return vdbShape(scene, spec);
        case BodyShape::Character:
            break;  // has several parts
    }
    return nullptr;
}

std::shared_ptr<const Motion> makeMotion(const BodySpec& spec)
{
    if (spec.keys.empty()) return makeStaticMotion({rotationFromEuler(spec.rotation_deg), spec.position});
    return makeKeyframeMotion(spec.keys);
}

std::vector<RigidPart> partsOf(const Scene& scene, const BodySpec& spec)
{
    if (spec.shape != BodyShape::Character) return {{spec.name, makeShape(scene, spec), makeMotion(spec)}};
    CharacterDetail detail;
    // The voxels of a boot are never coarser than its sole needs.
    detail.voxel_m = spec.voxel_m > 0 ? spec.voxel_m : std::min(0.5 * scene.solver.dx, 0.01);
    detail.band_m = 3 * scene.solver.dx;
    return makeCharacter(spec, detail);
}

}  // namespace

std::vector<Body> makeBodies(const Scene& scene)
{
    std::vector<Body> bodies;
    for (const BodySpec& spec : scene.bodies) {
        Body body{spec.name, spec.visible, spec.color, {}};
        for (RigidPart& part : partsOf(scene, spec))
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
