// A light that stands in space, and surfaces that emit: what the path loop makes of them, against closed forms.

#include <catch2/catch.hpp>

#include "noise_volume.h"
#include "other_lights.h"
#include "plane_surface.h"
#include "traced_paths.h"

using namespace firn;
using namespace firn::test;

namespace {

/// The nearest of several surfaces.
struct SurfaceList final : Surfaces {
    std::vector<const Surfaces*> parts;

    explicit SurfaceList(std::vector<const Surfaces*> surfaces) : parts(std::move(surfaces)) {}

    bool intersect(const Ray& ray, float tMax, SurfaceHit& hit) const override
    {
        bool found = false;
        for (const Surfaces* part : parts) {
            if (part->intersect(ray, found ? hit.t : tMax, hit)) found = true;
        }
        return found;
    }
    bool occluded(const Ray& ray, float tMax) const override
    {
        SurfaceHit hit;
        return intersect(ray, tMax, hit);
    }
};

/// The black half plane y = height, x < 0.
struct Screen final : Surfaces {
    float height = 1;

    bool intersect(const Ray& ray, float tMax, SurfaceHit& hit) const override
    {
        const float t = (height - ray.origin.y()) / ray.direction.y();
        if (!(t > 0 && t < tMax) || ray.at(t).x() >= 0) return false;
        hit = {t, Vec3f(0, ray.direction.y() < 0 ? 1.0f : -1.0f, 0), {}};
        return true;
    }
    bool occluded(const Ray& ray, float tMax) const override
    {
        SurfaceHit hit;
        return intersect(ray, tMax, hit);
    }
};

const Vec3f diffuse(0.6f, 0.4f, 0.2f);
const Vec3f emitted = Vec3f::Constant(7);

Lights sphereAt(const Vec3f& center, float radius, FoundBy by)
{
    return Lights({sphereOf(center, radius, emitted, by)});
}

/// What a camera at x > 0 reads of the ground's point at the origin.
Estimate radianceOfOrigin(const RenderScene& scene, std::uint64_t seed, int paths = 100000)
{
    const Ray ray{Vec3f(0.6f, 0.8f, 0), Vec3f(-0.6f, -0.8f, 0)};
    return averageRadiance(scene, paths, [&](std::uint32_t path) { return PathStart{ray, Sampler(seed, path, 0)}; });
}

}  // namespace

TEST_CASE("A sphere of radiance L lights the ground with pi L (R/d)^2 cos, whichever rays find it", "[lights]")
{
    // The form factor of a sphere wholly above the horizon depends on its distance d and on the angle of its centre
    // alone. Ground of albedo a then reads a L (R/d)^2 cos; centre (2, 3, 0): d^2 = 13, cos = 3 / sqrt(13).
    const PlaneSurface ground(0, diffuse);
    RenderScene scene;
    scene.surfaces = &ground;
    const double expected = 0.6 * 7 * (1.5 * 1.5 / 13) * 3 / std::sqrt(13);
    std::uint64_t seed = 1;
    for (const FoundBy by : allWays) {
        scene.lights = sphereAt(Vec3f(2, 3, 0), 1.5f, by);
        const Estimate result = radianceOfOrigin(scene, seed++);
        CAPTURE(static_cast<int>(by), expected, result.mean, result.error);
        CHECK(result.sigmas(expected) < oneIn370);
        CHECK(result.error < 0.01 * expected);
    }
}

TEST_CASE("A screen in front of half of a light takes half, and one behind the light takes nothing", "[lights]")
{
    // Seen from the origin, the screen's edge halves the sphere about (0, 3, 0): d^2 = 9, cos = 1.
    const PlaneSurface ground(0, diffuse), ceiling(5, Vec3f::Zero());
    const Screen screen;
    const SurfaceList halved({&ground, &screen}), covered({&ground, &ceiling});
    const double whole = 0.6 * 7 * 1.5 * 1.5 / 9;
    std::uint64_t seed = 11;
    for (const FoundBy by : allWays) {
        RenderScene scene;
        scene.lights = sphereAt(Vec3f(0, 3, 0), 1.5f, by);
        scene.surfaces = &halved;
        const Estimate shadowed = radianceOfOrigin(scene, seed++);
        CAPTURE(static_cast<int>(by), whole, shadowed.mean, shadowed.error);
        CHECK(shadowed.sigmas(whole / 2) < oneIn370);
        scene.surfaces = &covered;
        const Estimate all = radianceOfOrigin(scene, seed++);
        CAPTURE(all.mean, all.error);
        CHECK(all.sigmas(whole) < oneIn370);
    }
}

TEST_CASE("A layer in front of a light dims it by exp(-tau), and one behind it does not", "[lights]")
{
    // The black layer is 0.5 thick with sigma_t = 2. The light is so small that all its rays are vertical: tau = 1.
    const PlaneSurface ground(0, diffuse);
    const Volume before = Volume::homogeneous(Vec3f(-infinity, 1, -infinity), Vec3f(infinity, 1.5f, infinity), 2);
    const Volume behind = Volume::homogeneous(Vec3f(-infinity, 4, -infinity), Vec3f(infinity, 4.5f, infinity), 2);
    RenderScene scene;
    scene.surfaces = &ground;
    scene.medium.albedo = Vec3f::Zero();
    scene.lights = sphereAt(Vec3f(0, 3, 0), 0.01f, FoundBy::LightSampling);
    const double bare = 0.6 * 7 * 0.01 * 0.01 / 9;
    scene.volume = &before;
    CHECK(radianceOfOrigin(scene, 21, 100).mean == Approx(bare * std::exp(-1)).epsilon(1e-3));
    scene.volume = &behind;
    CHECK(radianceOfOrigin(scene, 22, 100).mean == Approx(bare).epsilon(1e-3));
}

TEST_CASE("In snow a light beside it by light sampling, by scattering and by both agree", "[lights]")
{
    const Volume volume = volumeFromDensity(clumpedBall(0.01), 724. / 400 / 8);
    const PlaneSurface ground(-0.15f, diffuse);
    RenderScene scene;
    scene.volume = &volume;
    scene.surfaces = &ground;
    scene.medium = {Vec3f(0.9f, 0.95f, 0.99f), 0.5f};
    std::vector<Estimate> results;
    for (const FoundBy by : allWays) {
        scene.lights = sphereAt(Vec3f(0.25f, 0.15f, 0.02f), 0.1f, by);
        results.push_back(averageRadiance(scene, 200000, [&](std::uint32_t path) {
            Sampler sampler(30 + results.size(), path, 0);
            const Vec2f u = sampler.uniform2();
            const Vec3f target = Vec3f(0.03f, -0.05f, 0.02f) + 0.08f * deflect(Vec3f::UnitY(), 2 * u.x() - 1, u.y());
            const Vec3f origin(-0.2f, 0.3f, 0.3f);
            return PathStart{{origin, (target - origin).normalized()}, sampler};
        }));
        CAPTURE(results.back().mean, results.back().error);
        CHECK(results.back().sigmas(results.front()) <= oneIn15787);
        CHECK(results.back().error < 0.02 * results.back().mean);
    }
}

TEST_CASE("A camera sees a light before a surface in front of it, and not behind", "[lights]")
{
    const PlaneSurface ground(0, Vec3f::Zero());
    RenderScene scene;
    scene.surfaces = &ground;
    scene.lights = sphereAt(Vec3f(0, 3, 0), 1, FoundBy::LightSampling);
    Sampler sampler(1, 0, 0);
    CHECK(radiance(scene, {Vec3f(0, 9, 0), -Vec3f::UnitY()}, sampler).radiance.isApprox(emitted, 1e-6f));
    scene.lights = sphereAt(Vec3f(0, -3, 0), 1, FoundBy::LightSampling);
    CHECK(radiance(scene, {Vec3f(0, 9, 0), -Vec3f::UnitY()}, sampler).radiance.isZero());
}

TEST_CASE("A surface that emits lights others and is seen itself", "[radiance]")
{
    // Under an endless ceiling of radiance 3, ground of albedo a reads 3 a on each path.
    PlaneSurface ceiling(2, Vec3f::Zero());
    ceiling.emission = Vec3f::Constant(3);
    const PlaneSurface ground(0, diffuse);
    const SurfaceList room({&ground, &ceiling});
    RenderScene scene;
    scene.surfaces = &room;
    Sampler sampler(1, 0, 0);
    const PathResult below = radiance(scene, {Vec3f(0, 1, 0), Vec3f(0.6f, -0.8f, 0)}, sampler);
    CHECK(below.radiance.isApprox(3 * diffuse, 1e-5f));
    CHECK(below.direct.isApprox(3 * diffuse, 1e-5f));
    const PathResult above = radiance(scene, {Vec3f(0, 1, 0), Vec3f(0.6f, 0.8f, 0)}, sampler);
    CHECK(above.radiance == ceiling.emission);
    CHECK(above.direct == ceiling.emission);
    CHECK(above.alpha == 1);
}
