#include "render/sun.h"

#include <catch2/catch.hpp>

#include "monte_carlo.h"

using namespace firn;
using namespace firn::test;

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
    const Sun sun(spec);
    float widest = 1;
    // irradiance = integral of L cos over the disc, by samples uniform in its solid angle 2 pi (1 - cos r)
    const double solidAngle = 2 * pi * (1 - std::cos(10 * pi / 180));
    const Estimate irradiance = average(1024, [&](std::uint32_t i) {
        Sampler sampler(1, i, 0);
        const Vec3f direction = sun.sample(Vec3f::Zero(), sampler.uniform2()).direction;
        const float cosine = direction.dot(sun.direction());
        widest = std::min(widest, cosine);
        return sun.radiance({Vec3f::Zero(), direction}, infinity).x() * cosine * solidAngle;
    });
    CHECK(irradiance.sigmas(5) < oneIn370);
    CHECK(widest >= std::cos(10.01 * pi / 180));
    CHECK(widest < std::cos(9.9 * pi / 180));
    const Ray beside{Vec3f::Zero(), lightDirection(spec.elevation_deg + 10.1, spec.azimuth_deg)};
    CHECK(sun.radiance(beside, infinity).isZero());
    CHECK(sun.density(beside) == 0);
}

TEST_CASE("A sun's sample is its radiance over the density of the sample, and lies at infinity", "[lights]")
{
    LightSpec spec;
    spec.angular_diameter_deg = 20;
    spec.strength = 5;
    const Sun sun(spec);
    const LightSample sample = sun.sample(Vec3f::Zero(), Vec2f(0.3f, 0.7f));
    const Ray ray{Vec3f::Zero(), sample.direction};
    CHECK(sample.irradiance.x() * sample.scale == Approx(sun.radiance(ray, infinity).x() / sun.density(ray)));
    CHECK(sample.distance == infinity);
    CHECK(sun.radiance(ray, 1e6f).isZero());
    CHECK(sun.middle(Vec3f::Zero())->direction == sun.direction());
    CHECK(sun.middle(Vec3f::Zero())->distance == infinity);
}
