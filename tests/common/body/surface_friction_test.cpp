#include "common/body/surface_friction.h"

#include <catch2/catch.hpp>

#include "common/body/body.h"
#include "common/error.h"
#include "tests/common/body/gltf_arm.h"

using namespace firn;

namespace {

/// A cube of 1 m about (0, .5, 0): its lower half is of material "sole", its upper half of "upper".
std::string bootObj()
{
    std::string text;
    for (const char* y : {"0", "0.5", "1"})
        for (const char* xz : {"-0.5 Y -0.5", "0.5 Y -0.5", "0.5 Y 0.5", "-0.5 Y 0.5"})
            text += "v " + std::string(xz).replace(std::string(xz).find('Y'), 1, y) + "\n";
    const auto ring = [&](int first) {
        for (int i = 0; i < 4; ++i) {
            const int a = first + i, b = first + (i + 1) % 4;
            text += "f " + std::to_string(a) + " " + std::to_string(a + 4) + " " + std::to_string(b + 4) + " " +
                    std::to_string(b) + "\n";
        }
    };
    text += "usemtl sole\nf 1 2 3 4\n";
    ring(1);
    text += "usemtl dark leather\n";
    ring(5);
    return text + "f 12 11 10 9\n";
}

BodySpec bootSpec(const std::filesystem::path& file)
{
    BodySpec spec;
    spec.name = "boot";
    spec.shape = BodyShape::Mesh;
    spec.file = file;
    spec.friction = 0.3;
    return spec;
}

BodyPlace place(const std::string& material, Facing facing, double friction, bool sticky = false)
{
    BodyPlace place;
    place.material = material.c_str();
    place.facing = facing;
    place.friction = friction;
    place.sticky = sticky;
    return place;
}

Scene sceneWith(const BodySpec& spec)
{
    Scene scene;
    scene.solver.dx = 0.04;
    scene.bodies = {spec};
    return scene;
}

Friction frictionAt(const Body& body, const Vec3d& point, double time_s = 0)
{
    const auto placed = body.pieces.at(0)->place(time_s, 0);
    Vec3d normal;
    placed->distance(point, normal);
    return placed->friction(point, normal);
}

}  // namespace

TEST_CASE("Friction differs by the material of a mesh file, up to a voxel from its border", "[body]")
{
    const ScratchFolder folder("friction");
    BodySpec spec = bootSpec(folder.write("boot.obj", bootObj()));
    spec.position = Vec3d(3, 0, 0);
    spec.places = {place("sole", Facing::Any, 0.9, true), place("dark leather", Facing::Any, 0.1)};
    const Body body = makeBody(sceneWith(spec), spec);
    const double voxel = 0.02;
    for (const double y : {0.05, 0.25, 0.5 - 1.5 * voxel}) {
        CHECK(frictionAt(body, Vec3d(3.51, y, 0.1)).coefficient == 0.9);
        CHECK(frictionAt(body, Vec3d(3.51, y, 0.1)).sticky);
    }
    for (const double y : {0.5 + 1.5 * voxel, 0.95}) CHECK(frictionAt(body, Vec3d(3.51, y, 0.1)).coefficient == 0.1);
    CHECK(frictionAt(body, Vec3d(3, -0.01, 0)).sticky);
    CHECK_FALSE(frictionAt(body, Vec3d(3, 1.01, 0)).sticky);
}

TEST_CASE("Friction differs by the side that faces down, also when a body has turned", "[body]")
{
    BodySpec spec;
    spec.name = "ski";
    spec.shape = BodyShape::Box;
    spec.size = Vec3d(1, 1, 1);
    spec.friction = 0.3;
    spec.keys = {{0, Vec3d::Zero(), Vec3d::Zero(), {}}, {1, Vec3d::Zero(), Vec3d(90, 0, 0), {}}};
    spec.places = {place("", Facing::Down, 0.05), place("", Facing::Up, 0.7)};
    const Body body = makeBody(sceneWith(spec), spec);
    for (const double time_s : {0., 1.}) {
        CHECK(frictionAt(body, Vec3d(0, -0.51, 0), time_s).coefficient == 0.05);
        CHECK(frictionAt(body, Vec3d(0, 0.51, 0), time_s).coefficient == 0.7);
        CHECK(frictionAt(body, Vec3d(0.51, 0, 0), time_s).coefficient == 0.3);
    }
}

TEST_CASE("Of the places that fit, the first one counts", "[body]")
{
    const ScratchFolder folder("friction_order");
    BodySpec spec = bootSpec(folder.write("boot.obj", bootObj()));
    spec.places = {place("sole", Facing::Down, 0.9), place("sole", Facing::Any, 0.5), place("", Facing::Up, 0.2)};
    const Body body = makeBody(sceneWith(spec), spec);
    CHECK(frictionAt(body, Vec3d(0, -0.01, 0)).coefficient == 0.9);
    CHECK(frictionAt(body, Vec3d(0.51, 0.2, 0)).coefficient == 0.5);
    CHECK(frictionAt(body, Vec3d(0, 1.01, 0)).coefficient == 0.2);
    CHECK(frictionAt(body, Vec3d(0.51, 0.8, 0)).coefficient == 0.3);
}

TEST_CASE("A skin that bends keeps friction at its materials", "[body]")
{
    const ScratchFolder folder("friction_skin");
    BodySpec spec = bootSpec(ArmWriter({.has_color = true}).write(folder));
    spec.places = {place("cloth", Facing::Any, 0.8)};
    const Body body = makeBody(sceneWith(spec), spec);
    CHECK(frictionAt(body, Vec3d(0.11, 0.2, 0), 0.3).coefficient == 0.8);
}

TEST_CASE("Voxels that are larger than a cell get a remark", "[body]")
{
    const ScratchFolder folder("coarse");
    BodySpec spec = bootSpec(folder.write("boot.obj", bootObj()));
    CHECK(makeBody(sceneWith(spec), spec).remarks.empty());
    spec.voxel_m = 0.05;
    const Body body = makeBody(sceneWith(spec), spec);
    REQUIRE(body.remarks.size() == 1);
    CHECK_THAT(body.remarks[0], Catch::Contains("voxel_m is larger than solver.dx"));
}

TEST_CASE("A material that the file does not have is refused, and those that it has are named", "[body]")
{
    const ScratchFolder folder("friction_error");
    BodySpec spec = bootSpec(folder.write("boot.obj", bootObj()));
    spec.places = {place("soles", Facing::Any, 0.9)};
    CHECK_THROWS_WITH(makeBody(sceneWith(spec), spec), Catch::Contains("\"boot\"") &&
                                                           Catch::Contains("no material 'soles'") &&
                                                           Catch::Contains("did you mean 'sole'?"));
    spec.places = {place("rubber", Facing::Any, 0.9)};
    CHECK_THROWS_WITH(makeBody(sceneWith(spec), spec), Catch::Contains("no material 'rubber'") &&
                                                           Catch::Contains("'sole'") &&
                                                           Catch::Contains("'dark leather'"));
}
