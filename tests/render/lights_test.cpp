#include "render/lights.h"

#include <catch2/catch.hpp>

#include "monte_carlo.h"
#include "render/phase.h"

using namespace firn;
using namespace firn::test;

namespace {

LightSpec sky()
{
    LightSpec spec;
    spec.kind = LightKind::Sky;
    spec.color = Vec3d(.2, .4, .9);
    spec.strength = 2;
    return spec;
}

Vec3f uniformDirection(Sampler& sampler)
{
    const Vec2f u = sampler.uniform2();
    return deflect(Vec3f::UnitY(), 2 * u.x() - 1, u.y());
}

}  // namespace

TEST_CASE("Azimuth turns from +z towards +x and elevation rises to +y", "[lights]")
{
    CHECK(lightDirection(0, 0).isApprox(Vec3f::UnitZ(), 1e-6f));
    CHECK(lightDirection(0, 90).isApprox(Vec3f::UnitX(), 1e-6f));
    CHECK(lightDirection(90, 30).isApprox(Vec3f::UnitY(), 1e-6f));
}

TEST_CASE("A sun's samples fill its disc and its radiance integrates to the irradiance", "[lights]")
{
    LightSpec spec;
    spec.angular_diameter_deg = 20;
    spec.strength = 5;
    const Lights lights({spec});
    REQUIRE(lights.suns().size() == 1);
    const Sun& sun = lights.suns().front();
    float widest = 1;
    // irradiance = integral of L cos over the disc, by samples uniform in its solid angle 2 pi (1 - cos r)
    const double solidAngle = 2 * pi * (1 - std::cos(10 * pi / 180));
    const Estimate irradiance = average(1024, [&](std::uint32_t i) {
        Sampler sampler(1, i, 0);
        const Vec3f direction = sun.sample(sampler.uniform2());
        const float cosine = direction.dot(sun.direction);
        widest = std::min(widest, cosine);
        return sun.radiance(direction).x() * cosine * solidAngle;
    });
    CHECK(irradiance.sigmas(5) < one_in_370);
    CHECK(widest >= std::cos(10.01 * pi / 180));
    CHECK(widest < std::cos(9.9 * pi / 180));
    CHECK(sun.radiance(lightDirection(spec.elevation_deg + 10.1, spec.azimuth_deg)).isZero());
}

TEST_CASE("The sky goes from the horizon's colour to the zenith's", "[lights]")
{
    const LightSpec spec = sky();
    const Lights lights({spec});
    CHECK(lights.environment(Vec3f::UnitY()).isApprox((2 * spec.color).cast<float>()));
    CHECK(lights.environment(Vec3f::UnitX()).isApprox((2 * spec.horizon_color).cast<float>()));
    CHECK(lights.environment(-Vec3f::UnitY()).isApprox((2 * spec.horizon_color).cast<float>()));
}

TEST_CASE("Environment sampling has the density it states", "[lights]")
{
    LightSpec dim;
    dim.kind = LightKind::Constant;
    dim.strength = .1;
    const Lights lights({sky(), dim});
    // The density integrates to 1 over uniform directions; and the mean of f / pdf over its samples is the integral of
    // f.
    const Estimate total = average(200000, [&](std::uint32_t i) {
        Sampler sampler(1, i, 0);
        return 4 * pi * lights.environmentPdf(uniformDirection(sampler));
    });
    CHECK(total.sigmas(1) < one_in_370);
    const auto moment = [](const Vec3f& d) { return 1 + d.y() + .5 * d.x() * d.z() + d.y() * d.y(); };
    // Over the sphere: 4 pi (1 + 0 + 0 + 1/3).
    const Estimate integral = average(200000, [&](std::uint32_t i) {
        Sampler sampler(2, i, 0);
        const EnvironmentSample sample = lights.sampleEnvironment(sampler.uniform2());
        return moment(sample.direction) / sample.pdf;
    });
    CHECK(integral.sigmas(4 * pi * 4 / 3) < one_in_370);
    Sampler sampler(3, 0, 0);
    int differing = 0;  // rounding may put a direction into the next band
    for (int i = 0; i < 1000; ++i) {
        const EnvironmentSample sample = lights.sampleEnvironment(sampler.uniform2());
        differing += sample.pdf != lights.environmentPdf(sample.direction);
    }
    CHECK(differing <= 2);
}

TEST_CASE("No light at all is black and is not sampled", "[lights]")
{
    const Lights lights;
    CHECK_FALSE(lights.hasEnvironment());
    CHECK(lights.background(Vec3f::UnitY()).isZero());
}
