#include "render/sky.h"

#include <catch2/catch.hpp>

#include "monte_carlo.h"
#include "other_lights.h"

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

}  // namespace

TEST_CASE("The sky goes from the horizon's colour to the zenith's", "[lights]")
{
    const LightSpec spec = sky();
    Sky sum;
    sum.add(spec);
    CHECK(sum.radiance(Vec3f::UnitY()).isApprox((2 * spec.color).cast<float>()));
    CHECK(sum.radiance(Vec3f::UnitX()).isApprox((2 * spec.horizon_color).cast<float>()));
    CHECK(sum.radiance(-Vec3f::UnitY()).isApprox((2 * spec.horizon_color).cast<float>()));
}

TEST_CASE("Sky sampling has the density it states", "[lights]")
{
    LightSpec dim;
    dim.kind = LightKind::Constant;
    dim.strength = .1;
    Sky sum;
    sum.add(sky());
    sum.add(dim);
    // The density integrates to 1 over uniform directions; and the mean of f / pdf over its samples is the integral of
    // f.
    const Estimate total = average(200000, [&](std::uint32_t i) {
        Sampler sampler(1, i, 0);
        return 4 * pi * sum.density({Vec3f::Zero(), uniformDirection(sampler)});
    });
    CHECK(total.sigmas(1) < oneIn370);
    const auto moment = [](const Vec3f& d) { return 1 + d.y() + .5 * d.x() * d.z() + d.y() * d.y(); };
    // Over the sphere: 4 pi (1 + 0 + 0 + 1/3).
    const Estimate integral = average(200000, [&](std::uint32_t i) {
        Sampler sampler(2, i, 0);
        const LightSample sample = sum.sample(Vec3f::Zero(), sampler.uniform2());
        return moment(sample.direction) * static_cast<double>(sample.scale);
    });
    CHECK(integral.sigmas(4 * pi * 4 / 3) < oneIn370);
    Sampler sampler(3, 0, 0);
    int differing = 0;  // rounding may put a direction into the next band
    for (int i = 0; i < 1000; ++i) {
        const LightSample sample = sum.sample(Vec3f::Zero(), sampler.uniform2());
        differing += sample.scale != 1 / sum.density({Vec3f::Zero(), sample.direction});
        REQUIRE(sample.irradiance == sum.radiance(sample.direction));
    }
    CHECK(differing <= 2);
}
