#include <catch2/catch.hpp>

#include <cmath>

#include "common/error.h"
#include "common/image/exr.h"
#include "common/io/threads.h"
#include "render/film.h"
#include "render/frame.h"

using namespace firn;

namespace {

PathResult sample(float r, float g, float b)
{
    PathResult result;
    result.radiance = Vec3f(r, g, b);
    result.direct = Vec3f(r, g, b) / 4;
    return result;
}

/// A block of snow under a sky and a sun.
struct TinyScene {
    Volume volume = Volume::homogeneous(Vec3f(-0.5f, -0.5f, -0.5f), Vec3f(0.5f, 0.5f, 0.5f), 20);
    RenderScene scene;
    PinholeCamera camera;
    FrameSettings settings;

    TinyScene() : camera({Vec3d(0, 1, 3), Vec3d::Zero(), 35, 36, {}}, 0, 40, 24)
    {
        LightSpec sun, sky;
        sky.kind = LightKind::Sky;
        scene.volume = &volume;
        scene.lights = Lights({sun, sky});
        scene.medium.albedo = Vec3f(0.9f, 0.95f, 0.99f);
        settings.width = 40;
        settings.height = 24;
        settings.spp = 4;
    }

    FrameResult render() const
    {
        return *renderFrame(scene, camera, settings, [](double) { return true; });
    }
};

}  // namespace

TEST_CASE("A pixel is the mean of its samples, with the standard error of that mean")
{
    // 1, 2, 3, 6: mean 3, squared deviations 4 + 1 + 0 + 9 = 14, standard error sqrt(14 / 3 / 4).
    Film film({5, 7, 1, 1}, 20, 20);
    for (const float value : {1.0f, 2.0f, 3.0f, 6.0f}) film.add(5, 7, sample(value, 2 * value, 0), 0);
    const Image image = film.image();
    CHECK(image.at("R").pixels[0] == 3);
    CHECK(image.at("G").pixels[0] == 6);
    CHECK(image.at("direct.R").pixels[0] == 0.75f);
    CHECK(image.at("stderr.R").pixels[0] == Approx(std::sqrt(14.0 / 12)));
    CHECK(image.at("stderr.G").pixels[0] == Approx(2 * std::sqrt(14.0 / 12)));
    CHECK(image.at("stderr.B").pixels[0] == 0);
    CHECK(image.at("samples").pixels[0] == 4);
    CHECK(image.at("A").pixels[0] == 0);
    CHECK(image.origin_x == 5);
    CHECK(image.origin_y == 7);
    // One pixel: its error over 1.01 times its own luminance.
    CHECK(film.noise() == Approx(std::sqrt(14.0 / 12) / 3 / 1.01));
}

TEST_CASE("Depth and surface layers are means over the samples that met something")
{
    Film film({0, 0, 1, 1}, 1, 1);
    film.add(0, 0, sample(0, 0, 0), INFINITY);
    for (const float depth : {2.0f, 4.0f}) {
        PathResult hit = sample(1, 1, 1);
        hit.alpha = 1;
        hit.albedo = Vec3f(0.5f, 0.25f, 1);
        film.add(0, 0, hit, depth);
    }
    film.add(0, 0, sample(0, 0, 0), INFINITY);
    const Image image = film.image();
    CHECK(image.at("A").pixels[0] == 0.5f);
    CHECK(image.at("depth.Z").pixels[0] == 3);
    CHECK(image.at("albedo.G").pixels[0] == 0.25f);
}

TEST_CASE("A picture has the same bytes for any number of threads")
{
    const TinyScene tiny;
    const auto bytes = [&](int threads) {
        std::vector<std::byte> result;
        runWithThreads(threads, [&] { result = encodeExr(tiny.render().image); });
        return result;
    };
    const std::vector<std::byte> one = bytes(1);
    CHECK(bytes(2) == one);
    CHECK(bytes(7) == one);
}

TEST_CASE("A crop holds the very pixels of the whole picture")
{
    TinyScene tiny;
    const Image whole = tiny.render().image;
    tiny.settings.crop = PixelWindow{13, 6, 20, 11};
    const Image crop = tiny.render().image;
    CHECK(crop.display_width == 40);
    for (int y = 0; y < 11; ++y) {
        for (int x = 0; x < 20; ++x) {
            CHECK(crop.at("R").pixels[static_cast<std::size_t>(20 * y + x)] ==
                  whole.at("R").pixels[static_cast<std::size_t>(40 * (y + 6) + x + 13)]);
        }
    }
    tiny.settings.crop = PixelWindow{30, 0, 20, 10};
    CHECK_THROWS_AS(tiny.render(), Error);
}

TEST_CASE("A noise target gives the picture of the sample count it took")
{
    TinyScene tiny;
    tiny.settings.noise_target = 0.1;
    const FrameResult target = tiny.render();
    CHECK(target.noise < 0.1);
    CHECK(target.spp >= 4);
    CHECK(target.paths == static_cast<std::uint64_t>(target.spp) * 40 * 24);
    tiny.settings.noise_target = 0;
    tiny.settings.spp = target.spp;
    CHECK(encodeExr(tiny.render().image) == encodeExr(target.image));
}

TEST_CASE("A time limit is held")
{
    TinyScene tiny;
    tiny.settings.time_limit_s = 0.2;
    const FrameResult result = tiny.render();
    CHECK(result.spp >= 4);
    CHECK(result.seconds < 2);  // generous: another pass is not begun when it would end late
}

TEST_CASE("A frame is abandoned when it may not go on")
{
    const TinyScene tiny;
    CHECK_FALSE(renderFrame(tiny.scene, tiny.camera, tiny.settings, [](double) { return false; }));
}

TEST_CASE("The standard error shrinks with the root of the sample count")
{
    // Independent samples: 16 times as many, a quarter of the error; stratification may only do better than that.
    TinyScene tiny;
    const double few = tiny.render().noise;
    tiny.settings.spp = 64;
    const double many = tiny.render().noise;
    CHECK(few / many == Approx(4).epsilon(0.25));
}
