#include <algorithm>
#include <cstdio>
#include <mutex>

#include "common/body/animated_file.h"
#include "common/body/body.h"
#include "common/body/character.h"
#include "common/body/file_body.h"
#include "common/body/key_level.h"
#include "common/body/keyed_piece.h"
#include "common/body/level_sequence.h"
#include "common/body/level_set.h"
#include "common/body/mesh_parts.h"
#include "common/body/mesh_sequence.h"
#include "common/body/numbered_files.h"
#include "common/body/played_file.h"
#include "common/body/played_times.h"
#include "common/body/recent.h"
#include "common/body/rigid_piece.h"
#include "common/body/shapes.h"
#include "common/body/surface_file.h"
#include "common/body/terrain.h"
#include "common/body/text_input.h"
#include "common/error.h"
#include "common/io/extension.h"
#include "common/io/frame_range.h"

namespace firn {
namespace {

void checkMeshExtension(const BodySpec& spec)
{
    const std::string extension = lowerExtension(spec.file);
    if (extension == ".obj" || extension == ".ply") return;
    throw Error(ExitCode::Usage, bodySource(spec) + ": found the extension \"" + clampText(extension, 20) +
                                     "\"; expected a mesh as .obj, .ply, .glb, .gltf or .fbx" +
                                     (extension == ".vdb" ? ", or shape = \"vdb\" for a level set" : ""));
}

/// Voxels of half a solver cell, unless the scene gives their size; contact needs distances up to three cells away.
std::shared_ptr<const Shape> fileShape(const Scene& scene, const BodySpec& spec)
{
    if (spec.shape == BodyShape::Mesh) checkMeshExtension(spec);
    return shapeFromFile({.file = spec.file,
                          .is_vdb = spec.shape == BodyShape::Vdb,
                          .scale = spec.scale,
                          .up_axis = spec.up_axis,
                          .voxel_m = spec.voxel_m,
                          .least_voxel_m = 0.5 * scene.solver.dx,
                          .band_m = 3 * scene.solver.dx,
                          .is_solid = spec.collides,
                          .source = bodySource(spec)});
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
        case BodyShape::Vdb:
            return fileShape(scene, spec);
        case BodyShape::Terrain:    // has remarks
        case BodyShape::Character:  // has several parts
            break;
    }
    return nullptr;
}

std::vector<RigidPart> partsOf(const Scene& scene, const BodySpec& spec)
{
    if (spec.shape != BodyShape::Character) return {{spec.name, makeShape(scene, spec), motionOf(scene, spec)}};
    CharacterDetail detail;
    // The voxels of a boot are never coarser than its sole needs.
    detail.voxel_m = spec.voxel_m > 0 ? spec.voxel_m : std::min(0.5 * scene.solver.dx, 0.01);
    detail.band_m = 3 * scene.solver.dx;
    return makeCharacter(spec, detail);
}

std::vector<std::shared_ptr<const BodyPiece>> sequencePieces(const Scene& scene, const BodySpec& spec)
{
    const std::string source = bodySource(spec);
    const SequenceOptions options{.pattern = spec.file,
                                  .scale = spec.scale,
                                  .up_axis = spec.up_axis,
                                  .first_number = scene.start_frame,
                                  .fps = spec.fps > 0 ? spec.fps : scene.fps,
                                  .offset_s = spec.time_offset_s,
                                  .speed = spec.time_scale,
                                  .loop = spec.loop,
                                  .source = source};
    const double voxel_m = spec.voxel_m > 0 ? spec.voxel_m : 0.5 * scene.solver.dx, reach_m = 3 * scene.solver.dx;
    if (spec.shape == BodyShape::Vdb)
        return {makeKeyedPiece(makeLevelSequence(options, {voxel_m, reach_m}), motionOf(scene, spec),
                               SurfaceFriction(spec, {}, source))};
    const std::shared_ptr<const DeformingSurface> sequence = makeMeshSequence(options);
    std::vector<Vec3d> vertices;
    sequence->positions(0, vertices);
    if (spec.collides) checkKeyLevel(vertices, sequence->triangles(), {voxel_m, reach_m}, source);
    std::vector<std::shared_ptr<const BodyPiece>> pieces;
    for (const auto& part : partsOfSurface(sequence))
        pieces.push_back(makeKeyedPiece(part, motionOf(scene, spec), SurfaceFriction(spec, part->materials(), source),
                                        {.frame_s = 1 / scene.fps, .voxel_m = voxel_m, .reach_m = reach_m}));
    return pieces;
}

/// The last terrains are kept: forecasts, layers and contact ask for the same one, and large ones take seconds to load.
std::shared_ptr<const Terrain> terrainOf(const TerrainFile& file)
{
    static std::mutex mutex;
    static Recent<std::string, Terrain> recent{2};
    std::string key = file.source + " " + std::to_string(static_cast<int>(file.up_axis));
    for (const double value : {file.scale, file.size.x(), file.size.y(), file.size.z()})
        key += " " + std::to_string(value);
    std::error_code ignored;  // a missing file is an error when it is loaded
    key += " " + std::to_string(std::filesystem::last_write_time(file.file, ignored).time_since_epoch().count());
    const std::lock_guard lock(mutex);
    return recent.get(key, [&] { return std::make_shared<const Terrain>(loadTerrain(file)); });
}

FileBody terrainBody(const Scene& scene, const BodySpec& spec)
{
    const std::string source = bodySource(spec);
    const std::shared_ptr<const Terrain> terrain = terrainOf(
        {.file = spec.file, .scale = spec.scale, .up_axis = spec.up_axis, .size = spec.size, .source = source});
    const std::shared_ptr<const TriangleMesh> mesh(terrain, &terrain->mesh);
    FileBody body;
    const double finest_m = finestVoxel_m(*mesh), wanted_m = 0.5 * scene.solver.dx;
    const double voxel_m = spec.voxel_m > 0 ? spec.voxel_m : std::max(wanted_m, finest_m);
    const double reach_m = std::max(3 * scene.solver.dx, voxel_m);
    if (voxel_m < finest_m)
        throw Error(ExitCode::Usage, source + ": voxel_m is " + std::to_string(voxel_m) + "; a terrain of " +
                                         sizeText(boundsOf(*mesh).sizes()) + " m can have voxels of " +
                                         std::to_string(finest_m) + " m and more");
    if (spec.voxel_m == 0 && voxel_m > wanted_m)
        body.remarks.push_back(source + ": the terrain is so large that its voxels are " + std::to_string(voxel_m) +
                               " m instead of half of solver.dx; cut it to the part of the shot for finer ones");
    for (const std::string& remark : terrain->remarks) body.remarks.push_back(source + ": " + remark);
    if ((rotationFromEuler(spec.rotation_deg) * Vec3d::UnitY()).y() < 0.5)
        body.remarks.push_back(
            source + ": rotation_deg tilts the terrain by more than 60 degrees, so its upper side no longer faces up");
    RigidPart part{spec.name, makeUncheckedLevelSet(mesh, {voxel_m, reach_m}), motionOf(scene, spec)};
    body.pieces.push_back(makeRigidPiece(std::move(part), SurfaceFriction(spec, {}, source)));
    return body;
}

/// What the grid cannot carry: voxels that are coarser than it, and bodies smaller than a cell in every direction,
/// which are surely of the wrong scale.
void remarkOnResolution(const Scene& scene, const BodySpec& spec, FileBody& body)
{
    if (!spec.collides || body.pieces.empty()) return;
    if (spec.voxel_m > scene.solver.dx)
        body.remarks.push_back("body " + quotedName(spec.name) +
                               ": its voxel_m is larger than solver.dx, so snow may pass through thin parts of it");
    Box3d box;
    for (const auto& piece : body.pieces) box.extend(piece->bounds(0, 0));
    if (box.sizes().maxCoeff() >= scene.solver.dx) return;
    body.remarks.push_back("body " + quotedName(spec.name) + " measures " + sizeText(box.sizes()) +
                           " m, less than solver.dx, so snow hardly meets it; check its scale");
}

void addRemark(std::string remark, FileBody& body)
{
    if (!remark.empty()) body.remarks.push_back(std::move(remark));
}

/// Snow in the way of a body that jumps is inside it afterwards, and is thrown out.
void remarkOnJumps(const Scene& scene, const BodySpec& spec, FileBody& body)
{
    if (!spec.collides) return;
    for (std::size_t k = 1; k < spec.keys.size(); ++k) {
        const BodyKey &from = spec.keys[k - 1], &to = spec.keys[k];
        const double jump_m = (to.position - from.position).norm();
        if (from.ease != Easing::Step || jump_m < scene.solver.dx) continue;
        body.remarks.push_back("body " + quotedName(spec.name) + " jumps by " + lengthText(jump_m) + " at " +
                               secondsText(to.time_s) +
                               " (ease = \"step\"). Snow in its new place would be inside it and is thrown out; the "
                               "run may diverge");
        return;
    }
}

FileBody sequenceBody(const Scene& scene, const BodySpec& spec)
{
    FileBody body;
    body.pieces = sequencePieces(scene, spec);
    const NumberedFiles files = numberedFiles(spec.file, bodySource(spec));
    const double fps = spec.fps > 0 ? spec.fps : scene.fps;
    const auto timeOf = [&](int number) {
        return ((number - scene.start_frame) / fps - spec.time_offset_s) / spec.time_scale;
    };
    addRemark(timesRemark(scene, spec, timeOf(files.first), timeOf(files.first + files.count - 1), true), body);
    return body;
}

/// The pieces of a body, and what the user should look at.
FileBody piecesOf(const Scene& scene, const BodySpec& spec)
{
    if (isSequence(spec)) return sequenceBody(scene, spec);
    if (spec.shape == BodyShape::Terrain) return terrainBody(scene, spec);
    if (spec.shape == BodyShape::Mesh && isAnimatedFile(spec.file))
        return makeFileBody(scene, spec, motionOf(scene, spec));
    FileBody body;
    if (spec.shape == BodyShape::Character) {
        const double length_s = characterClipLength(spec);
        body.clip = "clip of " + secondsText(length_s);
        addRemark(timesRemark(scene, spec, -spec.time_offset_s, length_s - spec.time_offset_s, false), body);
    }
    for (RigidPart& part : partsOf(scene, spec)) {
        const SurfaceFriction friction(spec, part.shape->materials(), bodySource(spec));
        body.pieces.push_back(makeRigidPiece(std::move(part), friction));
    }
    return body;
}

/// The picture that the scene lays on a body; nullptr without one. Throws Error(File) if it cannot be read.
std::shared_ptr<const EncodedPicture> pictureOf(const BodySpec& spec)
{
    constexpr std::uintmax_t most = std::uintmax_t{1} << 28;  // bytes
    const BodyPicture& picture = spec.picture;
    if (picture.file.empty()) return nullptr;
    const std::string source = fileSource("picture of body", spec.name, picture.file_place, picture.file);
    return std::make_shared<const EncodedPicture>(EncodedPicture{source, readWholeFile(picture.file, most)});
}

/// Readers of files know neither the scene nor the body: their errors get both.
FileBody namedPiecesOf(const Scene& scene, const BodySpec& spec)
{
    try {
        return piecesOf(scene, spec);
    } catch (const Error& error) {
        const std::string text = error.what();
        const bool isNamed = spec.file_place.empty() || text.find(spec.file_place) != std::string::npos ||
                             text.find(quotedName(spec.name)) != std::string::npos;
        if (isNamed) throw;
        const bool isNoVdb = spec.shape == BodyShape::Vdb && lowerExtension(spec.file) != ".vdb";
        throw Error(error.code(), spec.file_place + ": body " + quotedName(spec.name) + ", " + text +
                                      (isNoVdb ? "; shape = \"mesh\" reads meshes and glTF" : ""));
    }
}

}  // namespace

bool isSequence(const BodySpec& spec)
{
    return (spec.shape == BodyShape::Mesh || spec.shape == BodyShape::Vdb) && isFramePattern(spec.file);
}

void readSequences(const Scene& scene, const std::vector<Body>& bodies)
{
    for (const Body& body : bodies) {
        if (!isSequence(*std::ranges::find(scene.bodies, body.name, &BodySpec::name))) continue;
        for (int frame = scene.start_frame; frame <= scene.end_frame; ++frame)
            for (const auto& piece : body.pieces) piece->surface(scene.timeOfFrame(frame));
    }
}

std::shared_ptr<const Motion> carrierOf(const Scene& scene, const BodySpec& body, const std::string& node,
                                        const std::string& asker)
{
    if (body.shape == BodyShape::Character) return makeCharacterJoint(body, node, asker);
    const bool isInFile = !node.empty() || body.root_motion != RootMotionKind::None;
    return isInFile ? carrierInFile(body, node, motionOf(scene, body), asker) : motionOf(scene, body);
}

/// The scene has been checked: parents exist and do not carry themselves.
std::shared_ptr<const Motion> motionOf(const Scene& scene, const BodySpec& spec)
{
    std::shared_ptr<const Motion> motion = spec.keys.empty()
                                               ? makeStaticMotion({rotationFromEuler(spec.rotation_deg), spec.position})
                                               : makeKeyframeMotion(spec.keys);
    if (!spec.velocity.isZero(0)) motion = makeDriftingMotion(std::move(motion), spec.velocity);
    if (spec.parent.empty()) return motion;
    const auto parent = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                     [&](const BodySpec& other) { return other.name == spec.parent; });
    const std::string asker = scene.file.string() + ": body " + quotedName(spec.name);
    return makeAttachedMotion(carrierOf(scene, *parent, spec.parent_node, asker), std::move(motion));
}

Body makeBody(const Scene& scene, const BodySpec& spec)
{
    FileBody made = namedPiecesOf(scene, spec);
    remarkOnResolution(scene, spec, made);
    remarkOnJumps(scene, spec, made);
    return {.name = spec.name,
            .visible = spec.visible,
            .holdout = spec.holdout,
            .shadow_catcher = spec.shadow_catcher,
            .collides = spec.collides,
            .color = spec.color,
            .roughness = spec.roughness,
            .metalness = spec.metalness,
            .emission = spec.emission,
            .picture = spec.visible ? pictureOf(spec) : nullptr,
            .picture_width_m = spec.picture.width_m,
            .pieces = std::move(made.pieces),
            .remarks = std::move(made.remarks),
            .clip = std::move(made.clip),
            .closed = std::move(made.closed)};
}

std::vector<Body> makeBodies(const Scene& scene)
{
    std::vector<Body> bodies;
    for (const BodySpec& spec : scene.bodies) bodies.push_back(makeBody(scene, spec));
    return bodies;
}

std::vector<Body> makeCollidingBodies(const Scene& scene)
{
    std::vector<Body> bodies = makeBodies(scene);
    std::erase_if(bodies, [](const Body& body) { return !body.collides; });
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

bool isInside(const PlacedPiece& piece, const Vec3d& x)
{
    Vec3d normal;
    return piece.mayTouch(x, 0) && piece.distance(x, normal) < 0;
}

}  // namespace firn
