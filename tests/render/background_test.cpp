// What the camera sees behind everything, and what it does not see: skies, lamps and holdouts.

#include <catch2/catch.hpp>

#include "other_lights.h"
#include "plane_surface.h"
#include "render/radiance.h"

using namespace firn;
using namespace firn::test;

namespace {

constexpr float inf = infinity;

/// Snow of optical depth 1 on ground, under an even sky.
struct ThinSnow {
    Volume snow = Volume::homogeneous(Vec3f(-1, 0, -1), Vec3f(1, .02f, 1), 50);
    PlaneSurface ground{0, Vec3f(.9f, .5f, .1f)};
    RenderScene scene;

    ThinSnow()
    {
        scene.volume = &snow;
        scene.surfaces = &ground;
        scene.lights = Lights({constantSky()});
    }
};

}  // namespace

TEST_CASE("A camera ray into nothing reads the background with alpha 0", "[radiance]")
{
    LightSpec sun = light(LightKind::Sun);
    sun.elevation_deg = 90;
    RenderScene scene;
    scene.lights = Lights({light(LightKind::Constant, .5), sun});
    Sampler sampler(1, 0, 0);
    const PathResult beside = radiance(scene, {Vec3f::Zero(), Vec3f::UnitX()}, sampler);
    CHECK(beside.alpha == 0);
    CHECK(beside.depth == inf);
    CHECK(beside.radiance.isApprox(Vec3f::Constant(.5f)));
    CHECK(beside.direct.isZero());
    CHECK(beside.sky == beside.radiance);
    // The disc's radiance is irradiance / (pi sin^2 r), r = .265 degrees.
    const PathResult disc = radiance(scene, {Vec3f::Zero(), Vec3f::UnitY()}, sampler);
    CHECK(disc.radiance.x() == Approx(.5 + 1 / (pi * std::pow(std::sin(.265 * pi / 180), 2))).epsilon(1e-4));
}

TEST_CASE("A hidden sky lights the snow and the ground, and the camera does not see it", "[radiance]")
{
    ThinSnow thin;
    RenderScene& scene = thin.scene;
    const auto trace = [&](bool hides, const Vec3f& direction) {
        scene.hides_sky = hides;
        Sampler sampler(1, 0, 0);
        return radiance(scene, {Vec3f(0, 1, 0), direction}, sampler);
    };
    for (const Vec3f& direction : {Vec3f(0, -1, 0), Vec3f(.6f, -.8f, 0)}) {
        const PathResult seen = trace(false, direction), hidden = trace(true, direction);
        CHECK(seen.alpha == 1);
        CHECK(seen.radiance == hidden.radiance);
        CHECK(seen.sky.isZero(0));
        CHECK(seen.radiance.isApprox(seen.direct + seen.indirect));
    }
    const PathResult above = trace(true, Vec3f(0, 1, 0));
    CHECK(above.alpha == 0);
    CHECK(above.radiance.isZero(0));
    CHECK(above.sky.isZero(0));
    CHECK(trace(false, Vec3f(0, 1, 0)).sky == Vec3f::Ones());
}

TEST_CASE("The camera sees a lamp before a holdout, and none behind it", "[radiance]")
{
    PlaneSurface ground(0, Vec3f(.9f, .5f, .1f));
    ground.is_holdout = true;
    LightSpec lamp = light(LightKind::Sphere);
    lamp.radius_m = .1;
    RenderScene scene;
    scene.surfaces = &ground;
    const auto seenAt = [&](double height) {
        lamp.position = Vec3d(0, height, 0);
        scene.lights = Lights({lamp});
        Sampler sampler(1, 0, 0);
        return radiance(scene, {Vec3f(0, 2, 0), -Vec3f::UnitY()}, sampler);
    };
    const PathResult before = seenAt(1), behind = seenAt(-1);
    CHECK(before.alpha == 0);
    CHECK(before.radiance.x() > 0);
    CHECK(before.radiance == before.direct);
    CHECK(behind.radiance.isZero(0));
}

TEST_CASE("A holdout is a hole for the camera, and ground for the light in snow", "[radiance]")
{
    ThinSnow thin;
    RenderScene& scene = thin.scene;
    constexpr int count = 2000;
    const auto trace = [&] {
        std::vector<PathResult> results(count);
        tracePaths(
            scene, count,
            [](int i) {
                return PathStart{Ray{Vec3f(0, 1, 0), -Vec3f::UnitY()}, Sampler(3, static_cast<std::uint32_t>(i), 0)};
            },
            [&](int i, const PathResult& result) { results[static_cast<std::size_t>(i)] = result; });
        return results;
    };
    const std::vector<PathResult> seen = trace();
    thin.ground.is_holdout = true;
    const std::vector<PathResult> heldOut = trace();
    int holes = 0;
    for (int i = 0; i < count; ++i) {
        const PathResult &a = seen[static_cast<std::size_t>(i)], &b = heldOut[static_cast<std::size_t>(i)];
        if (a.hit_medium) {
            REQUIRE(b.radiance == a.radiance);
            REQUIRE(b.alpha == 1);
        } else {
            ++holes;
            REQUIRE(b.radiance.isZero(0));
            REQUIRE(b.alpha == 0);
            REQUIRE(b.depth == infinity);
        }
    }
    CHECK(holes == Approx(count * std::exp(-1.)).epsilon(0.1));
}

TEST_CASE("A shadow catcher under the sky alone is as light as without anything", "[radiance]")
{
    PlaneSurface ground(0, Vec3f(.9f, .5f, .1f));
    ground.catches_shadows = true;
    LightSpec lamp = light(LightKind::Sphere);
    lamp.position = Vec3d(0, 2, 1);
    RenderScene scene;
    scene.surfaces = &ground;
    scene.catches_shadows = true;
    scene.lights = Lights({light(LightKind::Sky), light(LightKind::Sun), lamp});
    for (std::uint32_t number = 0; number < 200; ++number) {
        Sampler sampler(1, number, 0);
        const PathResult seen = radiance(scene, {Vec3f(0, 1, 0), Vec3f(.6f, -.8f, 0)}, sampler);
        CHECK(seen.alpha == 0);
        CHECK(seen.radiance.isZero(0));
        CHECK(seen.caught.x() > 0);
        CHECK(seen.caught.isApprox(seen.unshadowed, 1e-5f));
    }
}
