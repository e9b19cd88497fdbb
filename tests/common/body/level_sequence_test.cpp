#include "common/body/level_sequence.h"

#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "common/body/body.h"
#include "common/error.h"
#include "tests/common/body/scratch_folder.h"

using namespace firn;
using Catch::Contains;

namespace {

constexpr double fps = 24, voxel = 0.02;

double radiusAt(double time_s) { return 0.3 + 0.03 * std::sin(2 * pi * 1.5 * time_s); }
double growthAt(double time_s) { return 0.03 * 2 * pi * 1.5 * std::cos(2 * pi * 1.5 * time_s); }
constexpr double fastest = 0.03 * 2 * pi * 1.5;

openvdb::FloatGrid::Ptr sphere(double radius, const Vec3d& center = Vec3d::Zero())
{
    openvdb::initialize();
    auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(
        static_cast<float>(radius),
        openvdb::Vec3f(static_cast<float>(center.x()), static_cast<float>(center.y()), static_cast<float>(center.z())),
        static_cast<float>(voxel), 3.f);
    grid->setName("surface");
    return grid;
}

/// Velocities that point away from the origin.
openvdb::Vec3SGrid::Ptr growing(const openvdb::FloatGrid& surface, double speed)
{
    auto grid = openvdb::Vec3SGrid::create();
    grid->setTransform(surface.transform().copy());
    grid->setName("vel");
    auto accessor = grid->getAccessor();
    for (auto on = surface.cbeginValueOn(); on; ++on) {
        const openvdb::Vec3d x = surface.indexToWorld(on.getCoord());
        accessor.setValue(on.getCoord(), openvdb::Vec3s(x.unit() * speed));
    }
    return grid;
}

void write(const std::filesystem::path& file, const openvdb::GridPtrVec& grids)
{
    openvdb::io::File out(file.string());
    out.write(grids);
    out.close();
}

/// Frames 1 to 9 of a ball that pulses.
void writePulse(const ScratchFolder& folder, bool withVelocity)
{
    for (int frame = 1; frame <= 9; ++frame) {
        const double t = (frame - 1) / fps;
        const auto surface = sphere(radiusAt(t));
        openvdb::GridPtrVec grids{surface};
        if (withVelocity) grids.push_back(growing(*surface, growthAt(t)));
        write(folder.path("ball." + std::to_string(frame) + ".vdb"), grids);
    }
}

Scene sceneOf(const ScratchFolder& folder)
{
    Scene scene;
    scene.fps = fps;
    scene.solver.dx = 2 * voxel;
    BodySpec ball;
    ball.name = "ball";
    ball.shape = BodyShape::Vdb;
    ball.file = folder.path("ball.#.vdb");
    scene.bodies = {ball};
    return scene;
}

std::string refusal(const Scene& scene, double time_s = 0)
{
    try {
        const std::vector<Body> bodies = makeBodies(scene);
        placeAll(bodies, time_s, 0.001)[0]->mayTouch(Vec3d::Zero(), 1);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("A ball that pulses, as level sets 1/24 s apart, moves its surface at the right speed", "[body]")
{
    const bool withVelocity = GENERATE(true, false);
    CAPTURE(withVelocity);
    const ScratchFolder folder("pulse");
    writePulse(folder, withVelocity);
    const std::vector<Body> bodies = makeBodies(sceneOf(folder));
    const BodyPiece& piece = *bodies[0].pieces[0];
    const Vec3d direction = Vec3d(1, 2, -0.7).normalized();
    constexpr int substeps = 10;
    for (int k = substeps; k < 7 * substeps; ++k) {
        const double dt = 1 / fps / substeps, end = (k + 1) * dt;
        const auto placed = piece.place(k * dt, dt);
        Vec3d normal;
        const Vec3d point = radiusAt(end) * direction;
        CHECK(std::abs(placed->distance(point, normal)) < 0.05 * voxel);
        CHECK((normal - direction).norm() < 0.06);
        const double expected = (radiusAt(end) - radiusAt(k * dt)) / dt;
        CHECK((placed->velocity(point) - expected * direction).norm() < (withVelocity ? 0.02 : 0.06) * fastest);
        CHECK(piece.maxSpeed(k * dt) > 0.9 * std::abs(expected));
        CHECK(piece.bounds(k * dt, dt).contains(0.99 * radiusAt(end) * Vec3d::UnitX()));
    }
}

TEST_CASE("Level sets of a sequence may change their topology, and rest before and after it", "[body]")
{
    const ScratchFolder folder("split");
    write(folder.path("ball.1.vdb"), {sphere(0.3)});
    const auto two = sphere(0.2, Vec3d(-0.25, 0, 0)), other = sphere(0.2, Vec3d(0.25, 0, 0));
    for (auto on = other->cbeginValueOn(); on; ++on) two->tree().setValue(on.getCoord(), *on);
    for (auto off = other->cbeginValueOff(); off; ++off)
        if (*off < 0 && off.isVoxelValue()) two->tree().setValueOff(off.getCoord(), *off);
    write(folder.path("ball.2.vdb"), {two});
    Scene scene = sceneOf(folder);
    const std::vector<Body> bodies = makeBodies(scene);
    const BodyPiece& piece = *bodies[0].pieces[0];
    Vec3d normal;
    for (const double before_s : {-1.0, -0.001}) {
        const auto placed = piece.place(before_s, 0.0005);
        CHECK(std::abs(placed->distance(Vec3d(0, 0.3, 0), normal)) < 0.05 * voxel);
        CHECK(placed->velocity(Vec3d(0, 0.3, 0)).norm() == 0);
    }
    const auto after = piece.place(3, 0.001);
    CHECK(std::abs(after->distance(Vec3d(0.25, 0.2, 0), normal)) < 0.1 * voxel);
    CHECK(after->distance(Vec3d(0, 0.1, 0), normal) > 0);
    CHECK(piece.place(0.5 / fps, 0.001)->distance(Vec3d(0.15, 0, 0), normal) < 0);
}

TEST_CASE("Scale, axes and speed of a sequence act on its velocities, too", "[body]")
{
    const ScratchFolder folder("scaled");
    for (int frame = 1; frame <= 3; ++frame) {
        const auto surface = sphere(0.3, Vec3d(0, 0, 0.03 * frame));
        auto velocity = openvdb::Vec3SGrid::create(openvdb::Vec3s(0, 0, 0.72f));  // units per second, along z
        velocity->setName("v");
        write(folder.path("ball." + std::to_string(frame) + ".vdb"), {surface, velocity});
    }
    Scene scene = sceneOf(folder);
    scene.bodies[0].scale = 2;
    scene.bodies[0].up_axis = UpAxis::Z;
    scene.bodies[0].time_scale = 0.5;
    scene.bodies[0].voxel_m = voxel;
    const std::vector<Body> bodies = makeBodies(scene);
    const auto placed = bodies[0].pieces[0]->place(2.5 / fps, 0.002);
    Vec3d normal;
    const double height = 2 * (0.03 + 0.72 * 0.5 * (2.5 / fps + 0.002));
    CHECK(std::abs(placed->distance(Vec3d(0, height + 0.6, 0), normal)) < 0.1 * voxel);
    CHECK((placed->velocity(Vec3d(0, height + 0.6, 0)) - Vec3d(0, 0.72, 0)).norm() < 0.01);
}

TEST_CASE("Sequences of level sets with gaps, damage or other velocities are refused", "[body]")
{
    const ScratchFolder folder("bad-sequence");
    const Scene scene = sceneOf(folder);
    CHECK_THAT(refusal(scene), Contains("the sequence has no file"));
    for (const int frame : {1, 2, 4}) write(folder.path("ball." + std::to_string(frame) + ".vdb"), {sphere(0.3)});
    CHECK_THAT(refusal(scene), Contains("frame 3 is missing in the sequence, which has frames 1-2,4"));
    write(folder.path("ball.3.vdb"), {sphere(0.3)});
    folder.write("ball.4.vdb", "no VDB");
    CHECK(refusal(scene).empty());
    CHECK_THAT(refusal(scene, 2.5 / fps), Contains("ball.4.vdb"));
    const auto density = sphere(0.3);
    density->setName("vel");
    density->setGridClass(openvdb::GRID_FOG_VOLUME);
    write(folder.path("ball.1.vdb"), {sphere(0.3), density});
    CHECK_THAT(refusal(scene), Contains("the grid 'vel' has values of type float; expected velocities as vectors"));
    auto nan = openvdb::Vec3SGrid::create();
    nan->setName("vel");
    nan->tree().setValue(openvdb::Coord(1, 2, 3), openvdb::Vec3s(0, std::nanf(""), 0));
    write(folder.path("ball.1.vdb"), {sphere(0.3), nan});
    CHECK_THAT(refusal(scene), Contains("found velocities that are not finite"));
}
