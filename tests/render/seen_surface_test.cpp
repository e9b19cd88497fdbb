#include "render/seen_surface.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "noise_volume.h"
#include "plane_surface.h"
#include "render/water_film.h"
#include "two_halves.h"

using namespace firn;
using namespace firn::test;

namespace {

LightSpec sunAt(double elevation_deg)
{
    LightSpec sun;
    sun.elevation_deg = elevation_deg;
    return sun;
}

/// The mean of SeenSurface::lit over evenly spread depths, along a ray straight down.
double meanLit(const RenderScene& scene)
{
    constexpr int count = 64;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        const float u = (static_cast<float>(i) + 0.5f) / count;
        sum += static_cast<double>(seenSurface(scene, {Vec3f(0, 1, 0), -Vec3f::UnitY()}, u).lit);
    }
    return sum / count;
}

}  // namespace

TEST_CASE("Flat snow is as lit as its single scattering is bright", "[seen]")
{
    // First collisions at optical depths t of density exp(-t); exp(-t / cos) of the sun arrives there. The mean over t
    // is cos / (1 + cos), with cos the cosine from the vertical. Steps are up to an eighth of optical
    // depth long.
    const DensityGrid grid =
        densityInBox(Vec3i(-40, -24, -40), Vec3i(40, 0, 40), 0.01, [](const Vec3i&) { return 50.0f; });
    const Volume snow = volumeFromDensity(grid, 1);
    for (const double elevation_deg : {90.0, 45.0, 20.0}) {
        RenderScene scene;
        scene.volume = &snow;
        scene.lights = Lights(std::vector<LightSpec>{sunAt(elevation_deg)});
        const double cosine = std::sin(elevation_deg * pi / 180);
        INFO("elevation " << elevation_deg);
        CHECK(meanLit(scene) == Approx(cosine / (1 + cosine)).epsilon(0.04));
    }
}

TEST_CASE("A body is lit with the cosine of the angle to its normal, and not in the shadow of snow", "[seen]")
{
    const PlaneSurface ground(-1, Vec3f::Constant(0.5f));
    RenderScene scene;
    scene.surfaces = &ground;
    scene.lights = Lights(std::vector<LightSpec>{sunAt(30)});
    CHECK(meanLit(scene) == Approx(0.5).epsilon(2e-3));
    // A slab of optical depth 8 above the ground; the eye looks past it, the sun does not.
    const DensityGrid grid =
        densityInBox(Vec3i(-60, 0, -60), Vec3i(60, 15, 60), 0.01, [](const Vec3i&) { return 50.0f; });
    const Volume slab(volumeFromDensity(grid, 1));
    scene.volume = &slab;
    scene.lights = Lights(std::vector<LightSpec>{sunAt(90)});
    const SeenSurface shaded = seenSurface(scene, {Vec3f(0, -0.5f, 0), -Vec3f::UnitY()}, 0.5f);
    CHECK(shaded.exists);
    CHECK(shaded.lit < 3e-3f);  // depths beyond 6 count as 6
}

TEST_CASE("A holdout is not seen", "[seen]")
{
    PlaneSurface ground(-1, Vec3f::Constant(0.5f));
    RenderScene scene;
    scene.surfaces = &ground;
    const Ray down{Vec3f(0, 1, 0), -Vec3f::UnitY()};
    CHECK(seenSurface(scene, down, 0.5f).exists);
    ground.is_holdout = true;
    CHECK_FALSE(seenSurface(scene, down, 0.5f).exists);
}

TEST_CASE("Without suns and lamps nothing is lit", "[seen]")
{
    const PlaneSurface ground(-1, Vec3f::Constant(0.5f));
    RenderScene scene;
    scene.surfaces = &ground;
    LightSpec sky;
    sky.kind = LightKind::Sky;
    scene.lights = Lights(std::vector<LightSpec>{sky});
    CHECK(meanLit(scene) == 0);
}

TEST_CASE("The gloss of coarse wet snow does not show where its surface lies between voxels", "[seen]")
{
    // A sloping surface, cut as snow_surface.h cuts it: density falls to 0 within 1.5 voxels. The free path is 3
    // voxels long, as that of slush seen from a metre away.
    const double voxel_m = 0.001;
    const Vec3d normal = Vec3d(0.07, 1, 0.04).normalized();
    const DensityGrid grid = densityInBox(Vec3i(-80, -40, -80), Vec3i(80, 24, 80), voxel_m, [&](const Vec3i& voxel) {
        return static_cast<float>(333 * std::clamp(0.5 - voxel.cast<double>().dot(normal) / 1.5, 0.0, 1.0));
    });
    const Volume snow = volumeFromDensity(grid, 1);
    const SnowParticles wet = twoHalves();
    const WaterFilm film(wet, std::vector<float>(wet.size(), 0.6f), halvesSize_m);
    LightSpec sun = sunAt(25);
    sun.azimuth_deg = 90;
    RenderScene scene;
    scene.volume = &snow;
    scene.water_film = &film;
    scene.lights = Lights(std::vector<LightSpec>{sun});
    const Vec3f direction = Vec3f(1, -0.6f, 0).normalized();  // towards the sun, from above
    double sum = 0, squares = 0;
    constexpr int count = 400;
    for (int i = 0; i < count; ++i) {
        const Vec3f target(0.05f * std::sin(i * 1.7f), 0, 0.05f * std::sin(i * 2.9f));
        const SeenSurface seen = seenSurface(scene, {target - 0.3f * direction, direction}, 0.5f);
        REQUIRE(seen.exists);
        CHECK(seen.normal.cast<double>().dot(normal) > std::cos(8 * pi / 180));
        const auto gloss = static_cast<double>(seen.gloss.y());
        sum += gloss;
        squares += gloss * gloss;
    }
    const double mean = sum / count, deviation = std::sqrt(squares / count - mean * mean);
    CHECK(mean > 0);
    CHECK(deviation < 0.01 * mean);
}
