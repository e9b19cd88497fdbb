#include <catch2/catch.hpp>

#include "common/scene/hash.h"
#include "tests/common/scene/scene_text.h"

using namespace firn;

TEST_CASE("A scene of one box loads with defaults for the rest", "[scene]")
{
    const SceneFolder folder;
    const Scene scene = folder.load(smallScene).scene;
    CHECK(scene.name == "shot");
    CHECK(scene.start_frame == 1);
    CHECK(scene.end_frame == 24);
    REQUIRE(scene.snow.size() == 1);
    CHECK(scene.snow[0].name == "bed");
    CHECK(scene.snow[0].max == Vec3d(1, 0.2, 1));
    CHECK(scene.solver.dx == Solver{}.dx);
    CHECK(scene.camera.position == Camera{}.position);
    CHECK(scene.bodies.empty());
}

TEST_CASE("Every kind of table and value is read into its member", "[scene]")
{
    const SceneFolder folder;
    const Scene scene = loadLarge(folder).scene;
    CHECK(scene.fps == 25);
    CHECK(scene.start_frame == 1001);
    CHECK(scene.end_frame == 1084);
    REQUIRE(scene.snow.size() == 3);
    CHECK(scene.snow[0].shape == SnowShape::Layer);
    CHECK(scene.snow[0].material.hardening == 8.5);
    CHECK(scene.snow[0].noise.seed == 7);
    CHECK(scene.snow[0].crust.depth_m == 0.04);
    CHECK(scene.snow[1].spin_rad_s == Vec3d(0, 0, 3));
    CHECK(scene.snow[2].file == folder.path() / "ball.obj");
    CHECK(scene.snow[2].volume == VolumeRule::Grid);
    REQUIRE(scene.bodies.size() == 3);
    CHECK(scene.bodies[1].color == Vec3d(0.8, 0.4, 0.05));
    REQUIRE(scene.bodies[1].keys.size() == 2);
    CHECK(scene.bodies[1].keys[0].ease == Easing::Smooth);
    CHECK(scene.bodies[1].keys[1].rotation_deg == Vec3d(0, 20, 0));
    CHECK(scene.bodies[2].shape == BodyShape::Character);
    CHECK(scene.bodies[2].radii_m == std::map<std::string, double>{{"LeftFoot", 0.05}, {"Right Foot", 0.06}});
    REQUIRE(scene.lights.size() == 2);
    CHECK(scene.lights[1].kind == LightKind::Sky);
    CHECK(scene.solver.integrator == Integrator::Implicit);
    CHECK(scene.solver.dt_s == 1e-3);
    CHECK(scene.render.spp == 128);
}

TEST_CASE("Elements without a name are named by their position", "[scene]")
{
    const SceneFolder folder;
    const Scene scene = loadLarge(folder).scene;
    CHECK(scene.snow[1].name == "snow2");
    CHECK(scene.snow[2].name == "snow3");
    CHECK(scene.lights[0].name == "light1");
    CHECK(folder.load("[[snow]]\nmin=[0,0,0]\nmax=[1,1,1]\n[[snow]]\nname=\"snow1\"\nmin=[2,0,0]\nmax=[3,1,1]\n")
              .scene.snow[0]
              .name == "snow2");
}

TEST_CASE("An animation key takes missing values from the key before it", "[scene]")
{
    const SceneFolder folder;
    const Scene scene = loadLarge(folder).scene;
    REQUIRE(scene.camera.keys.size() == 2);
    CHECK(scene.camera.keys[0].position == Vec3d(4, 1.5, 3));
    CHECK(scene.camera.keys[0].focal_length_mm == 50);
    CHECK(scene.camera.keys[1].position == Vec3d(3, 1.5, 3));
    CHECK(scene.camera.keys[1].focal_length_mm == 50);
}
