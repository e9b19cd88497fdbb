// The model of glossy surfaces: energy, reciprocity, sampling, and its limits.

#include "render/principled.h"

#include <catch2/catch.hpp>

#include <cmath>

#include "common/math.h"
#include "render/ggx.h"
#include "render/phase.h"
#include "render/sampler.h"

using namespace firn;

namespace {

const float roughnesses[] = {0.05f, 0.1f, 0.2f, 0.35f, 0.5f, 0.7f, 0.85f, 1.0f};

Vec3f directionAt(float cosine, float turn) { return deflect(Vec3f::UnitZ(), cosine, turn); }

/// The light of an even sky of radiance 1 that a surface scatters to the eye, by sampling.
Vec3f skySeen(const Principled& surface, int count)
{
    Vec3d sum = Vec3d::Zero();
    for (int i = 0; i < count; ++i) {
        Sampler sampler(3, 5, static_cast<std::uint32_t>(i));
        const ScatteredRay ray = surface.sample(sampler.uniform2());
        if (ray.scattering.density > 0) sum += ray.scattering.tint.cast<double>();
    }
    return (sum / count).cast<float>();
}

}  // namespace

TEST_CASE("A white surface of any roughness and metalness reflects all light of an even sky", "[principled]")
{
    for (const float roughness : roughnesses) {
        for (const float metalness : {0.0f, 0.4f, 1.0f}) {
            for (const float cosine : {0.05f, 0.3f, 0.7f, 1.0f}) {
                const SurfaceMaterial white{Vec3f::Ones(), roughness, metalness};
                const Principled surface(white, Vec3f::UnitZ(), directionAt(cosine, 0.2f));
                INFO(roughness << " " << metalness << " " << cosine);
                CHECK((surface.albedo() - Vec3f::Ones()).cwiseAbs().maxCoeff() < 1e-5f);
                // The tables are linear between their cosines; the error is largest at grazing angles.
                CHECK(skySeen(surface, 40000).x() == Approx(1).margin(0.012));
            }
        }
    }
}

TEST_CASE("The albedo of a surface is the light of an even sky that it scatters", "[principled]")
{
    for (const float roughness : roughnesses) {
        for (const float metalness : {0.0f, 1.0f}) {
            for (const float cosine : {0.1f, 0.5f, 0.9f}) {
                const SurfaceMaterial material{Vec3f(0.8f, 0.3f, 0.05f), roughness, metalness};
                const Principled surface(material, Vec3f::UnitZ(), directionAt(cosine, 0.6f));
                INFO(roughness << " " << metalness << " " << cosine);
                CHECK((skySeen(surface, 40000) - surface.albedo()).cwiseAbs().maxCoeff() < 0.012f);
            }
        }
    }
}

TEST_CASE("Eye and light may be exchanged", "[principled]")
{
    const Vec3f normal = Vec3f(0.3f, -0.5f, 0.6f).normalized();
    for (const float roughness : roughnesses) {
        const SurfaceMaterial material{Vec3f(0.8f, 0.3f, 0.05f), roughness, 0.3f};
        for (int i = 0; i < 40; ++i) {
            Sampler sampler(1, 2, static_cast<std::uint32_t>(i));
            const Vec3f a = deflect(normal, 0.05f + 0.95f * sampler.uniform(), sampler.uniform());
            const Vec3f b = deflect(normal, 0.05f + 0.95f * sampler.uniform(), sampler.uniform());
            const Scattering there = Principled(material, normal, a).towards(b);
            const Scattering back = Principled(material, normal, b).towards(a);
            const Vec3f f = there.tint * (there.density / b.dot(normal)),
                        g = back.tint * (back.density / a.dot(normal));
            CHECK((f - g).cwiseAbs().maxCoeff() <= 2e-3f * f.maxCoeff());
        }
    }
}

TEST_CASE("Directions are sampled with their density, and it is the one that is told", "[principled]")
{
    for (const float roughness : {0.2f, 0.5f, 1.0f}) {
        const SurfaceMaterial material{Vec3f(0.5f, 0.5f, 0.5f), roughness, 0.5f};
        const Principled surface(material, Vec3f::UnitZ(), directionAt(0.6f, 0.1f));
        // Sums of 1 over the density estimate the solid angle of the directions that are counted: here of those above
        // a cosine of 0.3, and of half of those.
        double all = 0, half = 0;
        constexpr int count = 200000;
        for (int i = 0; i < count; ++i) {
            Sampler sampler(7, 1, static_cast<std::uint32_t>(i));
            const ScatteredRay ray = surface.sample(sampler.uniform2());
            if (ray.scattering.density <= 0 || ray.direction.z() < 0.3f) continue;
            CHECK(surface.towards(ray.direction).density == Approx(ray.scattering.density).epsilon(1e-3));
            const double weight = 1 / (static_cast<double>(ray.scattering.density) * count);
            all += weight;
            if (ray.direction.x() > 0) half += weight;
        }
        INFO(roughness);
        CHECK(all == Approx(2 * pi * 0.7).epsilon(0.02));
        CHECK(half == Approx(pi * 0.7).epsilon(0.02));
    }
}

TEST_CASE("A smooth interface reflects as Fresnel says, and shows the base below it", "[principled]")
{
    const SurfaceMaterial black{Vec3f::Zero(), SurfaceMaterial::leastRoughness, 0};
    CHECK(Principled(black, Vec3f::UnitZ(), Vec3f::UnitZ()).albedo().x() == Approx(0.04).epsilon(0.02));
    // Schlick at 60 degrees: 0.04 + 0.96 / 32.
    const Principled slanted(black, Vec3f::UnitZ(), directionAt(0.5f, 0));
    CHECK(slanted.albedo().y() == Approx(0.04 + 0.96 / 32).epsilon(0.02));
    const SurfaceMaterial gold{Vec3f(1.0f, 0.71f, 0.29f), SurfaceMaterial::leastRoughness, 1};
    CHECK((Principled(gold, Vec3f::UnitZ(), Vec3f::UnitZ()).albedo() - gold.color).cwiseAbs().maxCoeff() < 0.003f);
    // Rays leave near the mirrored direction.
    const Vec3f mirrored(-slanted.sample({0.01f, 0.5f}).direction.x(), 0, 0);
    CHECK(std::abs(mirrored.x() - directionAt(0.5f, 0).x()) < 0.05f);
}

TEST_CASE("Below the surface nothing is scattered, and an eye below it sees a grazing view", "[principled]")
{
    const SurfaceMaterial material{Vec3f(0.5f, 0.5f, 0.5f), 0.3f, 0};
    const Principled surface(material, Vec3f::UnitZ(), directionAt(0.4f, 0));
    CHECK(surface.towards(directionAt(-0.2f, 0.3f)).density == 0);
    CHECK(surface.towards(directionAt(-0.2f, 0.3f)).tint.isZero());
    const Principled hidden(material, Vec3f::UnitZ(), directionAt(-0.3f, 0));
    CHECK(hidden.albedo().allFinite());
    CHECK(hidden.albedo().maxCoeff() < 1.001f);
    CHECK(hidden.towards(Vec3f::UnitZ()).tint.allFinite());
}

TEST_CASE("A matte surface has roughness 1 and no metal", "[principled]")
{
    CHECK(SurfaceMaterial().isMatte());
    CHECK_FALSE(SurfaceMaterial{Vec3f::Ones(), 0.99f, 0}.isMatte());
    CHECK_FALSE(SurfaceMaterial{Vec3f::Ones(), 1, 0.1f}.isMatte());
}
