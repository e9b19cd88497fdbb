// Pictures of all directions as lights.

#include "render/mapped_sky.h"

#include <catch2/catch.hpp>

#include <filesystem>

#include "common/error.h"
#include "common/image/exr.h"
#include "noise_volume.h"
#include "other_lights.h"
#include "plane_surface.h"
#include "render/lights.h"
#include "tests/common/scene/scene_text.h"
#include "traced_paths.h"

using namespace firn;
using namespace firn::test;
using Catch::Contains;

namespace {

constexpr int width = 128, height = 64;

std::size_t indexOf(int x, int y) { return static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x); }

/// A sky of radiance 1 over dark ground, with a sun of a few pixels at the row and column.
std::vector<Vec3f> skyWithSun(float sun, int row = 16, int column = 96)
{
    std::vector<Vec3f> pixels;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            pixels.push_back(std::abs(y - row) < 2 && std::abs(x - column) < 2 ? Vec3f(sun, 0.9f * sun, 0.8f * sun)
                             : y < height / 2                                  ? Vec3f(0.8f, 1, 1.2f)
                                                                               : Vec3f(0.2f, 0.2f, 0.2f));
    return pixels;
}

Lights lightsOf(const std::shared_ptr<const SkyMap>& map)
{
    std::vector<std::shared_ptr<const Light>> lights{
        std::make_shared<MappedSky>(map, SkyPart::Soft, Vec3f::Ones(), true)};
    if (map->has(SkyPart::Bright))
        lights.push_back(std::make_shared<MappedSky>(map, SkyPart::Bright, Vec3f::Ones(), true));
    return Lights(lights);
}

/// Integral of the luminance over all directions, by uniform directions.
template <class Radiance>
Estimate integralOf(Radiance radiance, std::uint64_t seed)
{
    return average(400000, [&](std::uint32_t i) {
        Sampler sampler(seed, i, 0);
        return 4 * pi * static_cast<double>(radiance(uniformDirection(sampler)).y());
    });
}

Image imageOf(const std::vector<Vec3f>& pixels, int columns, int rows)
{
    Image image(columns, rows);
    constexpr std::array<const char*, 3> names{"R", "G", "B"};
    for (Eigen::Index c = 0; c < 3; ++c) {
        Channel& channel = image.add(names[static_cast<std::size_t>(c)]);
        for (std::size_t i = 0; i < pixels.size(); ++i) channel.pixels[i] = pixels[i][c];
    }
    return image;
}

}  // namespace

TEST_CASE("A picture of all directions has +y at its top, -z in its middle and +x to the right of it", "[sky]")
{
    std::vector<Vec3f> pixels(static_cast<std::size_t>(width) * height, Vec3f::Zero());
    const auto set = [&](int x, int y, const Vec3f& color) {
        for (int dy = -2; dy <= 2; ++dy)
            for (int dx = -2; dx <= 2; ++dx) pixels[indexOf(x + dx, y + dy)] = color;
    };
    for (int x = 2; x < width - 2; ++x) set(x, 2, Vec3f(0, 0, 1));
    set(width / 2, height / 2, Vec3f(1, 0, 0));
    set(3 * width / 4, height / 2, Vec3f(0, 1, 0));
    const SkyMap map(width, height, pixels, 0);
    CHECK(map.radiance(-Vec3f::UnitZ()) == Vec3f(1, 0, 0));
    CHECK(map.radiance(Vec3f::UnitX()) == Vec3f(0, 1, 0));
    CHECK(map.radiance(Vec3f(0, 1, 1e-3f).normalized()) == Vec3f(0, 0, 1));
    CHECK(map.radiance(-Vec3f::UnitY()).isZero());
    // A turn by 90 degrees from +z towards +x brings -z to -x and +x to -z.
    const SkyMap turned(width, height, pixels, 90);
    CHECK(turned.radiance(-Vec3f::UnitX()) == Vec3f(1, 0, 0));
    CHECK(turned.radiance(-Vec3f::UnitZ()) == Vec3f(0, 1, 0));
}

TEST_CASE("A map is the sum of its parts, and samples of each have the density that it states", "[sky]")
{
    for (const float sun : {1.0f, 10.0f, 30000.0f}) {
        const SkyMap map(width, height, skyWithSun(sun), 30);
        CAPTURE(sun);
        CHECK(map.has(SkyPart::Bright) == (sun > 100));
        Sampler directions(1, 0, 0);
        for (int i = 0; i < 1000; ++i) {
            const Vec3f d = uniformDirection(directions);
            REQUIRE(
                (map.radiance(SkyPart::Soft, d) + map.radiance(SkyPart::Bright, d)).isApprox(map.radiance(d), 1e-5f));
        }
        const auto sampledIntegral = [&](SkyPart part, int count) {
            return average(count, [&](std::uint32_t i) {
                Sampler sampler(3, i, static_cast<std::uint32_t>(part));
                const Vec2f u = sampler.uniform2();
                const ChosenDirection chosen = map.sample(part, u.x(), u.y());
                return static_cast<double>(map.radiance(part, chosen.direction).y() / chosen.density);
            });
        };
        const Estimate soft = integralOf([&](const Vec3f& d) { return map.radiance(SkyPart::Soft, d); }, 2);
        const Estimate sampledSoft = sampledIntegral(SkyPart::Soft, 200000);
        CHECK(sampledSoft.sigmas(soft) < oneIn370);
        CHECK(sampledSoft.error < 0.5 * soft.error);
        if (!map.has(SkyPart::Bright)) continue;
        const Estimate bright = integralOf([&](const Vec3f& d) { return map.radiance(SkyPart::Bright, d); }, 4);
        const Estimate sampledBright = sampledIntegral(SkyPart::Bright, 20000);
        CHECK(sampledBright.sigmas(bright) < oneIn370);
        CHECK(sampledBright.error < 0.01 * sampledBright.mean);
        const Estimate total = average(200000, [&](std::uint32_t i) {
            Sampler sampler(6, i, 0);
            return 4 * pi * static_cast<double>(map.density(SkyPart::Bright, uniformDirection(sampler)));
        });
        CHECK(total.sigmas(1) < oneIn370);
    }
}

TEST_CASE("The soft part is smooth enough for scattered rays to find it", "[sky]")
{
    const SkyMap map(width, height, skyWithSun(30000), 0);
    const auto moment = [&](int power) {
        return average(400000, [&](std::uint32_t i) {
            Sampler sampler(7, i, 0);
            return std::pow(static_cast<double>(map.radiance(SkyPart::Soft, uniformDirection(sampler)).y()), power);
        });
    };
    const double mean = moment(1).mean, variance = moment(2).mean - mean * mean;
    CHECK(variance < 2 * mean * mean);
    CHECK(variance > 1.2 * mean * mean);  // it holds as much as it may
    CHECK(map.mean(SkyPart::Bright).norm() > 0.98f);
}

TEST_CASE("A white map is a white furnace", "[sky]")
{
    const auto map =
        std::make_shared<const SkyMap>(width, height, std::vector<Vec3f>(width * height, Vec3f::Ones()), 0);
    CHECK_FALSE(map->has(SkyPart::Bright));
    const Volume volume = volumeFromDensity(clumpedBall(0.02), 724. / 400 / 8);
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = lightsOf(map);
    const Estimate found = averageRadiance(scene, 4000, [&](std::uint32_t path) {
        return PathStart{{Vec3f(0, 0, 1), -Vec3f::UnitZ()}, Sampler(8, path, 0)};
    });
    CHECK(found.mean == Approx(1).epsilon(1e-3).margin(oneIn370 * found.error));
}

TEST_CASE("In snow under a map with a sun, light sampling, scattering and both agree", "[sky]")
{
    const auto map = std::make_shared<const SkyMap>(width, height, skyWithSun(300), 0);
    REQUIRE(map->has(SkyPart::Bright));
    const Volume volume = volumeFromDensity(clumpedBall(0.01), 724. / 400 / 8);
    const PlaneSurface ground(-0.15f, Vec3f(0.6f, 0.4f, 0.2f));
    RenderScene scene;
    scene.volume = &volume;
    scene.surfaces = &ground;
    scene.medium = {Vec3f(0.9f, 0.95f, 0.99f), 0.5f};
    std::vector<Estimate> results;
    const auto trace = [&](const Lights& lights) {
        scene.lights = lights;
        results.push_back(averageRadiance(scene, 200000, [&](std::uint32_t path) {
            Sampler sampler(50 + results.size(), path, 0);
            const Vec2f u = sampler.uniform2();
            const Vec3f target = 0.08f * deflect(Vec3f::UnitY(), 2 * u.x() - 1, u.y()), origin(-0.2f, 0.3f, 0.3f);
            return PathStart{{origin, (target - origin).normalized()}, sampler};
        }));
        CAPTURE(results.size(), results.back().mean, results.back().error, results.front().mean);
        CHECK(results.back().sigmas(results.front()) <= oneIn15787);
        CHECK(results.back().error < 0.03 * results.back().mean);
    };
    trace(lightsOf(map));
    for (const FoundBy by : allWays) trace(foundBy(lightsOf(map), by));
    CHECK(results.front().error < 0.7 * results[2].error);  // of scattering alone
}

TEST_CASE("Pictures that are no sky are refused by name", "[sky]")
{
    const auto refusalOfPicture = [](const Image& image) {
        try {
            skyPixels(image, "hall.exr");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    CHECK(refusalOfPicture(imageOf(skyWithSun(9), width, height)) == "accepted");
    CHECK_THAT(refusalOfPicture(imageOf(std::vector<Vec3f>(100, Vec3f::Ones()), 10, 10)),
               Contains("hall.exr: the picture has 10 x 10 pixels, expected a picture of all directions"));
    std::vector<Vec3f> pixels = skyWithSun(9);
    pixels[indexOf(5, 2)].y() = std::numeric_limits<float>::quiet_NaN();
    CHECK_THAT(refusalOfPicture(imageOf(pixels, width, height)), Contains("pixel (5, 2) is not a number or infinite"));
    CHECK_THAT(refusalOfPicture(imageOf(std::vector<Vec3f>(2, Vec3f::Constant(-1)), 2, 1)),
               Contains("all pixels are black"));
    Image gray(2, 1);
    gray.add("Y");
    CHECK_THAT(refusalOfPicture(gray), Contains("has no channel R"));
}

TEST_CASE("An environment of a scene shines from its file, with the light's turn and colour", "[sky]")
{
    const SceneFolder folder;
    writeExr(folder.path() / "sky.exr", imageOf(skyWithSun(30000), width, height), {.half = false});
    const Scene scene = folder
                            .load(smallScene +
                                  "[[light]]\nkind = \"environment\"\nfile = \"sky.exr\"\nrotation_deg = "
                                  "90\nstrength = 2\ncolor = [1, 0.5, 1]\n")
                            .scene;
    const Lights lights = LightRig(scene).at(0);
    REQUIRE(lights.all().size() == 2);
    CHECK(lights.sampled().size() == 1);
    Vec3f sum = Vec3f::Zero();
    const Vec3f up = Vec3f(0.1f, 0.9f, 0).normalized();
    for (const auto& light : lights.all()) sum += light->radiance({Vec3f::Zero(), up}, infinity);
    CHECK(sum.isApprox(Vec3f(1.6f, 1, 2.4f), 1e-4f));
    // The sun is at +x in the picture, three quarters to the right, and at -z once it is turned.
    CHECK(lights.sampled().front()->middle(Vec3f::Zero())->direction.z() < -0.6f);
    writeFileChecked(folder.path() / "sky.exr", "no picture");
    CHECK_THROWS_WITH(LightRig(scene), Contains("shot.toml:") && Contains("light 'light1', "));
}
