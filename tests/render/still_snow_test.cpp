// Still snow goes on where moving snow ends: together they are what one region over both would be.

#include "render/still_snow.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "common/snow/region.h"

using namespace firn;

namespace {

constexpr double dx = 0.02;

SnowRegion layer(double from_m, double to_m, bool still)
{
    SnowRegion region;
    region.name = still ? "field" : "strip";
    region.shape = SnowShape::Layer;
    region.min = Vec3d(from_m, 0, 0);
    region.max = Vec3d(to_m, 0, 0.4);
    region.depth_m = 0.1;
    region.roughness_m = 0.02;
    region.noise.density = 0.3;
    region.still = still;
    return region;
}

Scene sceneOf(const std::vector<SnowRegion>& snow)
{
    Scene scene;
    scene.solver.dx = dx;
    scene.snow = snow;
    return scene;
}

}  // namespace

TEST_CASE("Still snow and the region that it goes around make up the snow of one region")
{
    const SnowParticles whole = StillSnow(sceneOf({layer(0, 0.8, true)}), {}).at(1);
    const Scene both = sceneOf({layer(0.3, 0.5, false), layer(0, 0.8, true)});
    const SnowParticles field = StillSnow(both, {}).at(1);
    std::size_t strip = 0;
    strip += seedsOf(regionsOf(both), 0, dx, {}).count();
    CHECK(strip > 1000);
    CHECK(field.size() + strip == whole.size());
    std::size_t next = 0;  // field is whole without the strip, in the same order
    for (std::size_t i = 0; i < field.size(); ++i, ++next) {
        while (next < whole.size() && whole.position_m[next] != field.position_m[i]) ++next;
        REQUIRE(next < whole.size());
        REQUIRE(whole.mass_kg[next] == field.mass_kg[i]);
    }
}

TEST_CASE("Still snow has the density of its material and lies at rest outside bodies")
{
    Scene scene = sceneOf({layer(0, 0.8, true)});
    scene.snow[0].noise.density = 0;
    BodySpec post;
    post.shape = BodyShape::Box;
    post.position = Vec3d(0.4, 0.05, 0.2);
    post.size = Vec3d(0.2, 0.4, 0.4);
    scene.bodies = {post};
    const SnowParticles frame = StillSnow(scene, makeBodies(scene)).at(1);
    double mass = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        mass += static_cast<double>(frame.mass_kg[i]);
        REQUIRE(std::abs(frame.position_m[i].x() - 0.4) >= 0.1);
        REQUIRE(frame.stretch[i] == 1);
    }
    const double volume = 0.6 * 0.1 * 0.4;  // the undulation's mean is small
    CHECK(mass == Approx(volume * scene.snow[0].material.density_kg_m3).epsilon(0.1));
}

TEST_CASE("A layer waits where the window has not come yet, with the numbers that the simulation gives its snow")
{
    Scene scene = sceneOf({layer(0, 1.6, false)});
    scene.end_frame = 48;
    BodySpec ball;
    ball.name = "ball";
    ball.shape = BodyShape::Sphere;
    ball.radius_m = 0.1;
    ball.position = Vec3d(0, 0.6, 0.2);
    ball.velocity = Vec3d(0.8, 0, 0);
    scene.bodies = {ball};
    const std::size_t whole = seedsOf(regionsOf(scene), 0, dx, {}).count();
    CHECK(StillSnow(scene, makeBodies(scene)).at(1).size() == 0);  // without a window nothing is still
    scene.window = {.body = "ball", .reach_m = 0.3, .trail_s = 1};
    const StillSnow still(scene, makeBodies(scene));
    const SnowParticles start = still.at(1), later = still.at(24);
    CHECK(start.size() < whole);
    CHECK(later.size() < start.size());
    CHECK(later.size() > 0);
    CHECK(still.at(48).size() == 0);
    CHECK(still.waitingAt(24).id == later.id);
    for (std::size_t i = 0; i < later.size(); ++i) REQUIRE(later.position_m[i].x() > 0.76 + 0.1 + 0.3);
    CHECK(std::ranges::find(start.id, later.id.front()) != start.id.end());
}
