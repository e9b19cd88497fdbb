#include <catch2/catch.hpp>

#include "noise_volume.h"
#include "other_lights.h"
#include "plane_surface.h"
#include "render/phase.h"
#include "render/sun.h"
#include "traced_paths.h"

using namespace firn;
using namespace firn::test;

namespace {

constexpr float inf = infinity;
constexpr double paperExtinction = 724. / 400;  // m^2/kg

/// A ray that enters a sphere with cosine-distributed direction at a uniform point of its surface: isotropic
/// illumination.
Ray isotropicRay(const Vec3f& center, float radius, Sampler& sampler)
{
    const Vec2f u = sampler.uniform2(), v = sampler.uniform2();
    const Vec3f outward = deflect(Vec3f::UnitY(), 2 * u.x() - 1, u.y());
    return {center + radius * outward, deflect(-outward, std::sqrt(1 - v.x()), v.y())};
}

struct Ball {
    Vec3f center;
    float radius;
};

/// The clumped ball of the tests at 1 cm voxels, and a sphere around it.
constexpr double voxel = 0.01;
Ball bounds() { return {Vec3f(.03f, -.05f, .02f), .14f}; }

auto startsAround(const Vec3f& center, float radius, std::uint64_t seed)
{
    return [=](std::uint32_t path) {
        Sampler sampler(seed, path, 0);
        const Ray ray = isotropicRay(center, radius, sampler);
        return PathStart{ray, sampler};
    };
}

Estimate estimate(const RenderScene& scene, int paths, std::uint64_t seed, int channel = 0)
{
    return averageRadiance(scene, paths, startsAround(bounds().center, bounds().radius, seed), channel);
}

}  // namespace

TEST_CASE("A white furnace reads 1 whatever the volume and the surfaces", "[radiance]")
{
    const Volume noise = volumeFromDensity(clumpedBall(voxel), paperExtinction);
    const Volume box = Volume::homogeneous(Vec3f(-.1f, -.2f, -.1f), Vec3f(.2f, .1f, .15f), 200);
    const PlaneSurface white(-.06f, Vec3f::Ones());
    for (const Volume* volume : {&noise, &box}) {
        for (const Surfaces* surfaces : {static_cast<const Surfaces*>(nullptr), static_cast<const Surfaces*>(&white)}) {
            RenderScene scene;
            scene.volume = volume;
            scene.surfaces = surfaces;
            scene.lights = Lights({light(LightKind::Constant)});
            int escaped = 0;
            for (std::uint32_t path = 0; path < 500; ++path) {  // each path, not just their mean
                Sampler sampler(1, path, 0);
                const Ray ray = isotropicRay(bounds().center, bounds().radius, sampler);
                const PathResult result = radiance(scene, ray, sampler);
                if (result.radiance.isZero(0)) continue;  // ended by roulette
                REQUIRE(result.radiance.isApprox(Vec3f::Constant(result.weight), 1e-5f));
                ++escaped;
            }
            CHECK(escaped > 100);
            const Estimate byScattering = estimate(scene, 20000, 1);
            CAPTURE(byScattering.mean, byScattering.error);
            CHECK(byScattering.sigmas(1) < oneIn15787);
            std::uint64_t seed = 2;
            const Lights sky = scene.lights;
            for (const FoundBy by : {FoundBy::LightSampling, FoundBy::Both}) {
                scene.lights = foundBy(sky, by);
                const Estimate result = estimate(scene, 20000, seed++);
                CAPTURE(result.mean, result.error);
                CHECK(result.sigmas(1) < oneIn15787);
            }
        }
    }
}

TEST_CASE("Mean scatterings in a noise volume equal 4 times the integral of sigma_s over the surface", "[radiance]")
{
    // Blanco and Fournier 2003, for isotropic illumination of any body and any phase function; body: the sphere around.
    const Volume volume = volumeFromDensity(clumpedBall(voxel), paperExtinction);
    const double surface = 4 * pi * bounds().radius * bounds().radius;
    const double expected = 4 * volume.extinctionIntegral() / surface;
    CHECK(expected > 20);
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = Lights({light(LightKind::Constant)});
    for (const float g : {0.f, .5f, .9f}) {
        scene.medium.g = g;
        const Estimate collisions = averagePaths(scene, 300000, startsAround(bounds().center, bounds().radius, 3),
                                                 [](const PathResult& result) { return result.scatterings; });
        CAPTURE(g, expected, collisions.mean, collisions.error);
        CHECK(collisions.sigmas(expected) < oneIn370);
        CHECK(collisions.error < .02 * expected);
    }
}

TEST_CASE("A constant grid equals the homogeneous medium", "[radiance]")
{
    // Voxels 0 … 20 of density 1 fall to 0 over one voxel beyond; a fine grid makes that edge 1/400 of the box. With
    // the edge at half its width the two agree to second order in it: .02 mean free paths.
    const DensityGrid grid = densityInBox(Vec3i::Zero(), Vec3i::Constant(199), 0.01, [](const Vec3i&) { return 1.0f; });
    const Volume constant = volumeFromDensity(grid, 4);
    const Volume homogeneous = Volume::homogeneous(Vec3f::Constant(-.005f), Vec3f::Constant(1.995f), 4);
    RenderScene scene;
    scene.lights = Lights({light(LightKind::Sky), light(LightKind::Sun, 2)});
    scene.medium.albedo = Vec3f(.9f, .95f, 1);
    for (int channel = 0; channel < 3; ++channel) {
        const auto run = [&](const Volume& volume, std::uint64_t seed) {
            scene.volume = &volume;
            return averageRadiance(scene, 100000, startsAround(Vec3f::Constant(1), 1.8f, seed), channel);
        };
        const Estimate a = run(constant, 4), b = run(homogeneous, 5);
        CAPTURE(channel, a.mean, a.error, b.mean, b.error);
        CHECK(a.sigmas(b) < oneIn370);
    }
}

TEST_CASE("Looser and finer majorants change nothing but time", "[radiance]")
{
    RenderScene scene;
    scene.lights = Lights({light(LightKind::Sky), light(LightKind::Sun, 2)});
    scene.medium.albedo = Vec3f(.9f, .95f, 1);
    const DensityGrid grid = clumpedBall(voxel);
    std::vector<Estimate> results;
    for (const int blockShift : {0, 1, 2, 3}) {
        for (const float factor : {1.f, 2.f}) {
            const Volume plain = volumeFromDensity(grid, paperExtinction, blockShift);
            Bricks bricks = plain.bricks();
            for (float& majorant : bricks.majorants) majorant *= factor;
            const Volume volume(std::move(bricks), plain.toWorld(Vec3f::Zero()).cast<double>(), voxel);
            scene.volume = &volume;
            results.push_back(estimate(scene, 20000, 10 + results.size()));
        }
    }
    for (const Estimate& result : results) CHECK(result.sigmas(results.front()) <= oneIn15787);
}

TEST_CASE("Sky by light sampling, by scattering and by both agree", "[radiance]")
{
    const Volume volume = volumeFromDensity(clumpedBall(voxel), paperExtinction / 8);
    const PlaneSurface ground(-.15f, Vec3f(.3f, .2f, .1f));
    RenderScene scene;
    scene.volume = &volume;
    scene.surfaces = &ground;
    const Lights sky({light(LightKind::Sky), light(LightKind::Constant, .1)});
    scene.medium = {Vec3f(.9f, .95f, .99f), .5f};
    std::vector<Estimate> results;
    for (const FoundBy by : allWays) {
        scene.lights = foundBy(sky, by);
        results.push_back(estimate(scene, 100000, 20 + results.size()));
        CAPTURE(results.back().mean, results.back().error);
        CHECK(results.back().sigmas(results.front()) <= oneIn15787);
        CHECK(results.back().error < .01 * results.back().mean);
    }
}

TEST_CASE("Roulette of shadow rays changes nothing but time", "[radiance]")
{
    const Volume volume = volumeFromDensity(clumpedBall(voxel), paperExtinction);
    LightSpec low = light(LightKind::Sun, 2);
    low.elevation_deg = 10;
    low.angular_diameter_deg = 8;  // the table knows the centre of the disc only
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = Lights({low});
    scene.medium.albedo = Vec3f::Constant(.99f);
    const std::vector<ShadowRoulette> roulettes = makeShadowRoulettes(volume, scene.lights);
    const Estimate all = estimate(scene, 40000, 30);
    scene.shadow_roulettes = roulettes;
    const Estimate chosen = estimate(scene, 40000, 31);
    CAPTURE(all.mean, all.error, chosen.mean, chosen.error);
    CHECK(chosen.sigmas(all) < oneIn370);
    CHECK(chosen.error < 1.3 * all.error);
}

TEST_CASE("The table of shadow roulette holds the optical depth towards the sun", "[radiance]")
{
    // Density 1 at voxels 0 … 40 of 5 cm falls to 0 over one voxel above, which counts for half: the top is at 2.025 m.
    // With extinction 2 per m and the sun at 30 degrees, the depth from height y is 2 (2.025 - y) / sin(30 deg).
    const DensityGrid grid = densityInBox(Vec3i::Zero(), Vec3i::Constant(40), 0.05, [](const Vec3i&) { return 1.0f; });
    const Volume volume = volumeFromDensity(grid, 2);
    LightSpec sun = light(LightKind::Sun);
    sun.elevation_deg = 30;
    sun.azimuth_deg = 0;
    const ShadowRoulette roulette(volume, Sun(sun));
    CHECK(roulette.opticalDepth(Vec3f(1, 1, .1f)) == Approx(4.1).epsilon(.03));
    CHECK(roulette.opticalDepth(Vec3f(1, 1.9f, .1f)) == Approx(.5).epsilon(.1));
    const auto probability = [&](float y) {
        return roulette.probabilities(floats(1), floats(y), floats(.1f), ints(-1))[laneCount - 1];
    };
    CHECK(probability(1.9f) == 1);
    CHECK(probability(1) == Approx(std::exp(1.5 - 4.1 / 2)).epsilon(.1));
}

TEST_CASE("Diffuse ground under a sun reflects albedo E sin(elevation) / pi", "[radiance]")
{
    LightSpec sun = light(LightKind::Sun, 3);
    sun.elevation_deg = 30;
    const PlaneSurface ground(0, Vec3f(.6f, .4f, .2f));
    RenderScene scene;
    scene.surfaces = &ground;
    scene.lights = Lights({sun});
    const Ray ray{Vec3f(0, 2, 0), Vec3f(.6f, -.8f, 0)};
    const Estimate result = averageRadiance(scene, 10000, [&](std::uint32_t path) {
        return PathStart{ray, Sampler(1, path, 0)};
    });
    CHECK(result.sigmas(.6 * 3 * .5 / pi) < oneIn370);

    Sampler sampler(1, 0, 0);
    const PathResult path = radiance(scene, ray, sampler);
    CHECK(path.alpha == 1);
    CHECK_FALSE(path.hit_medium);
    CHECK(path.depth == Approx(2.5));
    CHECK(path.normal.isApprox(Vec3f::UnitY()));
    CHECK(path.albedo.isApprox(Vec3f(.6f, .4f, .2f)));
    CHECK(path.radiance.isApprox(path.direct));
    CHECK(path.collisions == 0);
}

TEST_CASE("Diffuse ground under a constant sky reads its albedo", "[radiance]")
{
    const PlaneSurface ground(0, Vec3f(.6f, .4f, .2f));
    RenderScene scene;
    scene.surfaces = &ground;
    scene.lights = Lights({light(LightKind::Constant, 2)});
    Sampler sampler(1, 0, 0);
    const PathResult path = radiance(scene, {Vec3f(0, 2, 0), Vec3f(.6f, -.8f, 0)}, sampler);
    CHECK(path.radiance.isApprox(Vec3f(1.2f, .8f, .4f), 1e-5f));
}

TEST_CASE("An absorbing layer dims ground, sun and view by exp(-tau) along each leg", "[radiance]")
{
    // Layer of thickness .5 and sigma_t = 2, albedo 0: tau = 1 / sin(30 deg) = 2 to the sun and 1 / .8 = 1.25 to the
    // camera.
    LightSpec sun = light(LightKind::Sun);
    sun.elevation_deg = 30;
    sun.angular_diameter_deg = .01;
    const PlaneSurface ground(0, Vec3f::Ones());
    const Volume layer = Volume::homogeneous(Vec3f(-inf, .25f, -inf), Vec3f(inf, .75f, inf), 2);
    RenderScene scene;
    scene.surfaces = &ground;
    scene.volume = &layer;
    scene.medium.albedo = Vec3f::Zero();
    scene.lights = Lights({sun});
    const Ray ray{Vec3f(0, 2, 0), Vec3f(.6f, -.8f, 0)};
    const Estimate result = averageRadiance(scene, 400000, [&](std::uint32_t path) {
        return PathStart{ray, Sampler(1, path, 0)};
    });
    CAPTURE(result.mean, result.error);
    CHECK(result.sigmas(.5 / pi * std::exp(-2 - 1.25)) < oneIn370);
}

TEST_CASE("All rays of a path have the time of its camera ray", "[radiance]")
{
    struct Clock final : Surfaces {
        PlaneSurface ground{-.15f, Vec3f(.6f, .4f, .2f)};
        mutable int asked = 0;

        bool intersect(const Ray& ray, float tMax, SurfaceHit& hit) const override
        {
            ++asked;
            CHECK(ray.time == 0.25f);
            return ground.intersect(ray, tMax, hit);
        }
        bool occluded(const Ray& ray, float tMax) const override
        {
            ++asked;
            CHECK(ray.time == 0.25f);
            return ground.occluded(ray, tMax);
        }
    };
    const Clock clock;
    const Volume volume = volumeFromDensity(clumpedBall(voxel), paperExtinction / 8);
    RenderScene scene;
    scene.volume = &volume;
    scene.surfaces = &clock;
    scene.lights = Lights({light(LightKind::Sky), light(LightKind::Sun, 2)});
    for (std::uint32_t path = 0; path < 20; ++path) {
        Sampler sampler(1, path, 0);
        Ray ray = isotropicRay(bounds().center, bounds().radius, sampler);
        ray.time = 0.25f;
        radiance(scene, ray, sampler);
    }
    CHECK(clock.asked > 40);
}

TEST_CASE("What a path finds does not depend on the paths beside it", "[radiance]")
{
    const Volume volume = volumeFromDensity(clumpedBall(voxel), paperExtinction);
    const PlaneSurface ground(-.1f, Vec3f(.6f, .4f, .2f));
    RenderScene scene;
    scene.volume = &volume;
    scene.surfaces = &ground;
    scene.lights = Lights({light(LightKind::Sky), light(LightKind::Sun, 2)});
    scene.medium.albedo = Vec3f(.9f, .95f, .99f);
    const std::vector<ShadowRoulette> roulettes = makeShadowRoulettes(volume, scene.lights);
    scene.shadow_roulettes = roulettes;
    constexpr int paths = 3000;  // more than a wave holds
    const auto start = [](int i) {
        return startsAround(bounds().center, bounds().radius, 5)(static_cast<std::uint32_t>(i));
    };
    std::vector<PathResult> together(paths);
    int finished = 0, scattered = 0;
    tracePaths(scene, paths, start, [&](int i, const PathResult& result) {
        together[static_cast<std::size_t>(i)] = result;
        ++finished;
    });
    CHECK(finished == paths);
    for (int i = 0; i < paths; i += 7) {
        const PathResult& other = together[static_cast<std::size_t>(i)];
        PathStart alone = start(i);
        const PathResult result = radiance(scene, alone.ray, alone.sampler);
        REQUIRE(result.radiance == other.radiance);
        REQUIRE(result.direct == other.direct);
        REQUIRE(result.indirect == other.indirect);
        REQUIRE(result.depth == other.depth);
        REQUIRE(result.normal == other.normal);
        REQUIRE(result.collisions == other.collisions);
        REQUIRE(result.weight == other.weight);
        scattered += result.collisions > 4;
    }
    CHECK(scattered > 100);
}

TEST_CASE("A cap of bounces takes energy and is reported", "[radiance]")
{
    // Optically thick white furnace: with n scatterings allowed, paths that need more are lost.
    const Volume volume = volumeFromDensity(clumpedBall(voxel), paperExtinction);
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = Lights({light(LightKind::Constant)});
    scene.max_bounces = 12;
    double capped = 0, sum = 0;
    for (std::uint32_t path = 0; path < 2000; ++path) {
        Sampler sampler(1, path, 0);
        const PathResult result = radiance(scene, isotropicRay(bounds().center, bounds().radius, sampler), sampler);
        REQUIRE(result.collisions <= 13);  // the one that ends the path is counted
        capped += result.capped;
        sum += result.radiance.x();
    }
    CHECK(capped > 200);
    CHECK(sum + capped == Approx(2000).epsilon(1e-4));  // what is lost is what was capped
}
