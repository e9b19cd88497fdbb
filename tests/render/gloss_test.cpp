// Paths at glossy surfaces: the lights of a scene in ground that mirrors.

#include <catch2/catch.hpp>

#include "other_lights.h"
#include "plane_surface.h"
#include "render/path_wave.h"
#include "render/principled.h"
#include "render/sun.h"
#include "traced_paths.h"

using namespace firn;
using namespace firn::test;

namespace {

/// Ground that is seen along `ray()`.
struct GlossyGround {
    PlaneSurface plane{0, Vec3f::Zero()};
    RenderScene scene;

    GlossyGround(const SurfaceMaterial& material, Lights lights)
    {
        plane.material = material;
        scene.surfaces = &plane;
        scene.lights = std::move(lights);
    }
    Estimate seen(std::uint64_t seed, int paths) const
    {
        return averageRadiance(scene, paths, [&](std::uint32_t path) {
            return PathStart{ray(), Sampler(seed, path, 0)};
        });
    }
    static Ray ray() { return {Vec3f(0.6f, 0.8f, 0), Vec3f(-0.6f, -0.8f, 0)}; }
    Principled surface() const { return {plane.material, Vec3f::UnitY(), -ray().direction}; }
};

}  // namespace

TEST_CASE("Glossy ground under a sun reflects what its model says", "[principled]")
{
    LightSpec sun;
    sun.kind = LightKind::Sun;
    sun.strength = 3;
    for (const float roughness : {0.3f, 0.6f}) {
        for (const double elevation_deg : {30., 55.}) {
            sun.elevation_deg = elevation_deg;
            sun.azimuth_deg = -90;  // opposite to the eye
            const GlossyGround ground({Vec3f(0.5f, 0.2f, 0.1f), roughness, 0.2f}, Lights({sun}));
            const Scattering there = ground.surface().towards(lightDirection(elevation_deg, -90));
            const Estimate result = ground.seen(1, 20000);
            CAPTURE(roughness, elevation_deg, result.mean, result.error);
            CHECK(result.mean == Approx(3 * static_cast<double>(there.density * there.tint.x())).epsilon(0.005));
        }
    }
}

TEST_CASE("White glossy ground under an even sky is as bright as the sky", "[principled]")
{
    for (const float metalness : {0.0f, 1.0f}) {
        const GlossyGround ground({Vec3f::Ones(), 0.4f, metalness}, Lights({constantSky()}));
        const Estimate result = ground.seen(5, 100000);
        CAPTURE(metalness, result.mean, result.error);
        CHECK(result.mean == Approx(1).margin(0.006));
    }
}

TEST_CASE("A sphere is mirrored alike, whichever rays find it", "[principled]")
{
    const Vec3f center(-3, 3, 0.5f), emitted = Vec3f::Constant(7);
    for (const float roughness : {0.2f, 0.5f}) {
        const SurfaceMaterial material{Vec3f(0.5f, 0.5f, 0.5f), roughness, 0};
        const auto seenBy = [&](FoundBy by, std::uint64_t seed) {
            const auto sphere = sphereOf(center, 1.5f, emitted, by);
            return GlossyGround(material, Lights({sphere})).seen(seed, 200000);
        };
        const Estimate sampled = seenBy(FoundBy::LightSampling, 1), met = seenBy(FoundBy::Scattering, 2),
                       both = seenBy(FoundBy::Both, 3);
        CAPTURE(roughness, sampled.mean, sampled.error, met.mean, met.error, both.mean, both.error);
        CHECK(std::abs(sampled.mean - met.mean) < 3.2 * std::hypot(sampled.error, met.error));
        CHECK(std::abs(sampled.mean - both.mean) < 3.2 * std::hypot(sampled.error, both.error));
        CHECK(both.error < met.error);
        if (roughness < 0.3f) CHECK(both.error < sampled.error);
    }
}

TEST_CASE("Paths that snow or rough surfaces have scattered see smooth surfaces blurred, and no other paths do")
{
    const auto blurred = [](float roughness, float metalness, float soFar) {
        SurfaceVertex vertex;
        vertex.material = {Vec3f::Ones(), roughness, metalness};
        vertex.blur(soFar);
        return vertex.material.roughness;
    };
    CHECK(blurred(0.05f, 0, 0) == 0.05f);
    CHECK(blurred(0.05f, 0, 0.1f) == 0.1f);
    CHECK(blurred(0.05f, 1, 1) == 0.4f);
    CHECK(blurred(0.7f, 0, 1) == 0.7f);
    CHECK(blurred(1, 0, 0.2f) == 1);
}
