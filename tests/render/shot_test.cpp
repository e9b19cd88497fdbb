#include "render/shot.h"

#include <catch2/catch.hpp>

using namespace firn;

namespace {

/// A box on the ground that moves by 1 m along x in the second from frame 0 to frame 24.
Scene movingBox()
{
    Scene scene;
    scene.fps = 24;
    scene.start_frame = 0;
    scene.end_frame = 24;
    scene.solver.dx = 0.05;
    scene.render.detail = "off";
    BodySpec box;
    box.name = "box";
    box.shape = BodyShape::Box;
    box.keys = {{0, Vec3d::Zero(), Vec3d::Zero(), Easing::Linear}, {1, Vec3d(1, 0, 0), Vec3d::Zero(), Easing::Linear}};
    scene.bodies = {box};
    LightSpec sun;
    scene.lights = {sun};
    return scene;
}

SnowParticles oneParticle(int frame, const Vec3d& position)
{
    SnowParticles result;
    result.frame = frame;
    result.position_m = {position};
    result.stretch = {1};
    result.velocity_m_s = {Vec3f::Zero()};
    result.mass_kg = {0.05f};
    result.volume0_m3 = {1.25e-4f};
    result.id = {0};
    result.material = {0};
    return result;
}

float distanceAlongX(const RenderScene& scene)
{
    SurfaceHit hit;
    REQUIRE(scene.surfaces->intersect({Vec3f(-5, 0, 0), Vec3f::UnitX()}, infinity, hit));
    return hit.t;
}

}  // namespace

TEST_CASE("Lights that light nothing in the picture are named, but for those that are switched off")
{
    Scene scene = movingBox();
    scene.camera.position = Vec3d(0, 2, 3);
    LightSpec low, off, inside;
    low.name = "low";
    low.elevation_deg = -10;
    low.azimuth_deg = 180;
    off = low;
    off.name = "off";
    off.strength = 0;
    inside.name = "inside";
    inside.kind = LightKind::Sphere;
    inside.position = Vec3d::Zero();
    inside.parent = "box";
    scene.lights.insert(scene.lights.end(), {low, off, inside});
    scene.lights.front().name = "sun";
    scene.bodies.front().size = Vec3d(0.5, 0.5, 0.5);
    const Shot shot(scene);
    const std::string remark = shot.lightRemark(shot.frame(oneParticle(12, Vec3d(0, 1, 0))));
    CHECK(remark.find("'inside'") != std::string::npos);
    CHECK(remark.find("'off'") == std::string::npos);
    CHECK(remark.find("'sun'") == std::string::npos);
    scene.lights = {off};
    CHECK(Shot(scene).lightRemark(Shot(scene).frame(oneParticle(12, Vec3d(0, 1, 0)))).empty());
}

TEST_CASE("A frame of a shot stays as it is while other frames are made", "[shot]")
{
    const Shot shot(movingBox());
    const Vec3d low(0, 2, 0), high(0, 3, 0);
    const ShotFrame first = shot.frame(oneParticle(0, low));
    const ShotFrame last = shot.frame(oneParticle(24, high));
    // The box reaches from -0.5 to 0.5, then from 0.5 to 1.5.
    CHECK(distanceAlongX(first.renderScene()) == Approx(4.5));
    CHECK(distanceAlongX(last.renderScene()) == Approx(5.5));
    CHECK(first.renderScene().volume->extinction(low.cast<float>()) > 0);
    CHECK(first.renderScene().volume->extinction(high.cast<float>()) == 0);
    CHECK(last.renderScene().volume->extinction(high.cast<float>()) > 0);
    CHECK(first.time_s() == 0);
    CHECK(last.time_s() == 1);
    CHECK(first.renderScene().shadow_roulettes.size() == 1);
}

TEST_CASE("A frame may be moved, and one without snow has no volume", "[shot]")
{
    const Shot shot(movingBox());
    ShotFrame frame = shot.frame(oneParticle(12, Vec3d(0, 2, 0)));
    const ShotFrame moved = std::move(frame);
    CHECK(distanceAlongX(moved.renderScene()) == Approx(5));
    CHECK(moved.voxelCount() > 0);
    SnowParticles nothing;
    nothing.frame = 0;
    const ShotFrame empty = shot.frame(nothing);
    CHECK(empty.renderScene().volume == nullptr);
    CHECK(empty.voxelCount() == 0);
    CHECK(empty.voxel_m() == 0.025);
}

TEST_CASE("Voxels in which snow loses its shape are told of")
{
    Scene scene = movingBox();
    CHECK(voxelRemark(scene, 0).empty());
    scene.render.voxel_m = 0.1;
    CHECK(voxelRemark(scene, 0).empty());
    CHECK(voxelRemark(scene, 0.02) ==
          "render.voxel_m = 0.1 is 5 times the cells of the simulation: the snow loses its shape. Expected at "
          "most 0.04");
}
