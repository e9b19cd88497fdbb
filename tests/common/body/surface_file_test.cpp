#include "common/body/surface_file.h"

#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <random>

#include "common/error.h"
#include "tests/common/body/scratch_folder.h"

using namespace firn;

namespace {

std::filesystem::path writeVdb(const ScratchFolder& folder, const std::string& name, const openvdb::GridPtrVec& grids)
{
    openvdb::io::File file(folder.path(name).string());
    file.write(grids);
    file.close();
    return folder.path(name);
}

openvdb::FloatGrid::Ptr sphereGrid(const std::string& name, float radius)
{
    openvdb::initialize();
    auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(radius, openvdb::Vec3f(0, 0, 0), 0.05f, 3.0f);
    grid->setName(name);
    return grid;
}

std::string bytesOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::shared_ptr<const Shape> shapeOfVdb(const std::filesystem::path& file)
{
    return shapeFromFile({.file = file, .is_vdb = true, .source = file.string()});
}

/// A box from (2, 1, 0) to (3, 3, 0.5), in a file.
SurfaceFile boxFile(const ScratchFolder& folder)
{
    const auto file = folder.write("box.obj",
                                   "v 2 1 0\nv 3 1 0\nv 3 3 0\nv 2 3 0\nv 2 1 .5\nv 3 1 .5\nv 3 3 .5\nv 2 3 .5\n"
                                   "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n");
    return {.file = file, .least_voxel_m = 0.05, .source = "the box"};
}

bool isNear(const Box3d& found, const Vec3d& min, const Vec3d& max)
{
    return (found.min() - min).norm() < 1e-5 && (found.max() - max).norm() < 1e-5;
}

}  // namespace

TEST_CASE("the pivot of a file becomes the origin, and the shape is turned about it", "[body]")
{
    const ScratchFolder folder("pivot");
    SurfaceFile box = boxFile(folder);
    CHECK(isNear(shapeFromFile(box)->bounds(), Vec3d(2, 1, 0), Vec3d(3, 3, 0.5)));
    box.rotation_deg = Vec3d(0, 0, 90);  // x to y, y to -x
    CHECK(isNear(shapeFromFile(box)->bounds(), Vec3d(-3, 2, 0), Vec3d(-1, 3, 0.5)));
    box.pivot = Pivot::Center;
    CHECK(isNear(shapeFromFile(box)->bounds(), Vec3d(-1, -0.5, -0.25), Vec3d(1, 0.5, 0.25)));
    box.pivot = Pivot::Base;
    box.rotation_deg = Vec3d::Zero();
    CHECK(isNear(shapeFromFile(box)->bounds(), Vec3d(-0.5, 0, -0.25), Vec3d(0.5, 2, 0.25)));
    box.up_axis = UpAxis::Z;  // the file's z is up: 1 x 0.5 x 2, standing on its lower z face
    box.scale = 2;
    CHECK(isNear(shapeFromFile(box)->bounds(), Vec3d(-1, 0, -2), Vec3d(1, 1, 2)));
    Vec3d gradient;
    CHECK(shapeFromFile(box)->distance(Vec3d(0, 0.5, 0), gradient) < 0);
}

TEST_CASE("a mesh with holes is refused with its source and the place of the hole", "[body]")
{
    const ScratchFolder folder("hole");
    const auto file = folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    CHECK_THROWS_WITH(shapeFromFile({.file = file, .least_voxel_m = 0.05, .source = "snow region \"drift\""}),
                      Catch::Contains("snow region \"drift\"") && Catch::Contains("3 open edges around 1 hole"));
}

TEST_CASE("a VDB level set is loaded as an outward surface, \"surface\" before others", "[body]")
{
    const ScratchFolder folder("vdb");
    const auto fog = openvdb::FloatGrid::create();
    fog->setName("density");
    fog->setGridClass(openvdb::GRID_FOG_VOLUME);
    const auto file = writeVdb(folder, "two.vdb", {fog, sphereGrid("other", 0.3f), sphereGrid("surface", 0.6f)});
    double voxel = 0;
    const TriangleMesh mesh = loadVdbSurface(file, 2, UpAxis::Y, voxel);
    CHECK(voxel == Approx(0.1));
    // Radius 0.6 doubled; a surface of quads at voxel 0.1 keeps the volume within a percent.
    CHECK(signedVolume(mesh) == Approx(4 * pi / 3 * std::pow(1.2, 3)).epsilon(0.01));

    const auto shape = shapeOfVdb(file);
    Vec3d gradient;
    CHECK(shape->distance(Vec3d(0, 0.7, 0), gradient) == Approx(0.1).margin(0.005));
    CHECK((gradient - Vec3d::UnitY()).norm() < 0.05);
}

TEST_CASE("a VDB file without a level set is refused with what it has", "[body]")
{
    const ScratchFolder folder("fog");
    openvdb::initialize();
    const auto fog = openvdb::FloatGrid::create();
    fog->setName("density");
    fog->setGridClass(openvdb::GRID_FOG_VOLUME);
    CHECK_THROWS_WITH(shapeOfVdb(writeVdb(folder, "fog.vdb", {fog})),
                      Catch::Contains("'density' (float grid of class fog volume)") && Catch::Contains("level set"));
    const auto empty = openvdb::FloatGrid::create(0.1f);
    empty->setName("surface");
    empty->setGridClass(openvdb::GRID_LEVEL_SET);
    CHECK_THROWS_WITH(shapeOfVdb(writeVdb(folder, "empty.vdb", {empty})), Catch::Contains("empty"));
    auto broken = sphereGrid("surface", 0.5f);
    broken->tree().setValue(openvdb::Coord(10, 0, 0), std::nanf(""));
    CHECK_THROWS_WITH(shapeOfVdb(writeVdb(folder, "nan.vdb", {broken})), Catch::Contains("not finite"));
}

TEST_CASE("a VDB file that is cut short or is none is refused, wherever the cut", "[body]")
{
    const ScratchFolder folder("cut");
    const std::string whole = bytesOf(writeVdb(folder, "whole.vdb", {sphereGrid("surface", 0.5f)}));
    for (std::size_t keep = 0; keep < whole.size(); keep += 1 + whole.size() / 97) {
        const auto file = folder.write("cut.vdb", whole.substr(0, keep));
        try {
            shapeOfVdb(file);
            FAIL("kept " << keep << " of " << whole.size() << " bytes");
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::File);
            CHECK_THAT(error.what(), Catch::Contains("cut.vdb"));
        }
    }
    CHECK_THROWS_WITH(shapeOfVdb(folder.write("text.vdb", "this is no VDB file at all, is it?")),
                      Catch::Contains("text.vdb"));
    CHECK_THROWS_AS(shapeOfVdb(folder.path("absent.vdb")), Error);
}

TEST_CASE("a VDB file with flipped bits gives a surface or an error, never a crash", "[body]")
{
    const ScratchFolder folder("flip");
    const std::string whole = bytesOf(writeVdb(folder, "whole.vdb", {sphereGrid("surface", 0.3f)}));
    std::mt19937 random(11);
    int refused = 0;
    for (int i = 0; i < 200; ++i) {
        std::string bytes = whole;
        bytes[random() % bytes.size()] ^= static_cast<char>(1u << (random() % 8));
        try {
            shapeOfVdb(folder.write("flip.vdb", bytes));
        } catch (const Error&) {
            ++refused;
        }
    }
    CHECK(refused > 0);
}
