#include "render/albedo_field.h"

#include <catch2/catch.hpp>

#include <cmath>

#include "render/radiance.h"
#include "two_halves.h"

using namespace firn;
using test::halvesSize_m, test::twoHalves;

namespace {

const Vec3d dark(0.5, 0.6, 0.7), light(0.9, 0.99, 0.999);

std::vector<SnowOptics> darkAndLight() { return {{2, dark}, {6, light}}; }

}  // namespace

TEST_CASE("Each half of the snow has its own albedo, and between them extinction decides", "[albedo]")
{
    const AlbedoField field(twoHalves(), darkAndLight(), halvesSize_m);
    // At the border both halves fill as much space, and light scatters three times as often in the second.
    const Vec3d middle = 0.25 * dark + 0.75 * light;
    for (int c = 0; c < 3; ++c) {
        CHECK(field.at(Vec3f(-0.05f, 0, 0))[c] == Approx(dark[c]));
        CHECK(field.at(Vec3f(0.05f, 0, 0))[c] == Approx(light[c]));
        CHECK(field.at(Vec3f(0, 0.013f, 0.02f))[c] == Approx(middle[c]).margin(1e-3));
        CHECK(field.least()[c] == Approx(dark[c]));
    }
    CHECK(field.at(Vec3f(5, 0, 0)) == field.least());
}

TEST_CASE("A particle of a region that the scene does not have looks like the last region", "[albedo]")
{
    SnowParticles snow = twoHalves();
    snow.material[0] = 200;
    const std::vector<SnowOptics> optics = darkAndLight();
    CHECK(opticsOfParticle(optics, snow, 0).albedo == light);
}

TEST_CASE("Paths take the albedo of the place, and of the whole where it is the same everywhere", "[albedo]")
{
    // Snow of optical thickness 40, split in a dark and a light half.
    const Volume volume = Volume::homogeneous(Vec3f::Constant(-0.08f), Vec3f::Constant(0.08f), 250);
    const AlbedoField mixed(twoHalves(), darkAndLight(), halvesSize_m);
    const std::vector<SnowOptics> onlyLight = {{2, light}, {6, light}};
    const AlbedoField even(twoHalves(), onlyLight, halvesSize_m);
    LightSpec sky;
    sky.kind = LightKind::Constant;
    const auto mean = [&](const Vec3f& albedo, const AlbedoField* field, float x) {
        RenderScene scene;
        scene.volume = &volume;
        scene.lights = Lights(std::vector<LightSpec>{sky});
        scene.medium = {albedo, 0.5f, field};
        constexpr int paths = 4000;
        std::array<double, 2> sums{};  // of the green radiance and its square
        for (int i = 0; i < paths; ++i) {
            Sampler sampler(1, 0, static_cast<std::uint32_t>(i));
            const double green =
                static_cast<double>(radiance(scene, {Vec3f(x, 1, 0), -Vec3f::UnitY()}, sampler).radiance.y());
            sums[0] += green / paths;
            sums[1] += green * green / paths;
        }
        return std::pair(sums[0], std::sqrt((sums[1] - sums[0] * sums[0]) / paths));
    };
    const Vec3f lightF = light.cast<float>(), darkF = dark.cast<float>();
    const auto [uniform, uniformError] = mean(lightF, nullptr, 0.05f);
    CHECK(mean(lightF, &even, 0.05f).first == Approx(uniform).epsilon(1e-4));
    // Four centimetres are ten mean free paths: little of the light has seen the other half.
    const auto [inLight, lightError] = mean(darkF, &mixed, 0.06f);
    CHECK(inLight < uniform + 4 * std::hypot(uniformError, lightError));
    CHECK(inLight > 0.9 * uniform);
    const auto [uniformDark, darkError] = mean(darkF, nullptr, -0.05f);
    CHECK(mean(darkF, &mixed, -0.05f).first == Approx(uniformDark).margin(6 * darkError));
}
