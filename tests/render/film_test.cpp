#include <catch2/catch.hpp>

#include <atomic>
#include <cmath>
#include <numeric>

#include "common/error.h"
#include "common/image/exr.h"
#include "common/io/threads.h"
#include "monte_carlo.h"
#include "render/adaptive_sampling.h"
#include "render/camera.h"
#include "render/film_file.h"
#include "render/glints.h"
#include "render/radiance.h"
#include "render/seen_surface.h"
#include "resting_camera.h"
#include "tests/temporary_folder.h"

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
    Glints glints{nullptr, {.strength = 1, .size_m = 0.02, .pixel_angle = 0.05}};  // some in the picture
    RenderScene scene;
    PlacedCamera camera;
    FrameSettings settings;

    TinyScene() : camera(restingCamera(Vec3d(0, 1, 3), Vec3d::Zero(), 35, 36), 0, 40, 24)
    {
        LightSpec sun, sky;
        sky.kind = LightKind::Sky;
        scene.volume = &volume;
        scene.glints = &glints;
        scene.lights = Lights({sun, sky});
        scene.medium.albedo = Vec3f(0.9f, 0.95f, 0.99f);
        settings.width = 40;
        settings.height = 24;
        settings.spp = 4;
    }

    /// The sun in a group, and the sky in none.
    void useGroups()
    {
        LightSpec sun, sky;
        sun.group = "key";
        sky.kind = LightKind::Sky;
        scene.lights = Lights({sun, sky});
        settings.layers.light_groups = lightGroups({sun, sky});
    }

    FrameState render() const
    {
        FrameState state(settings);
        REQUIRE(renderFrame({scene, camera}, settings, state, {.go_on = [](double) { return true; }}));
        return state;
    }
    Image image() const { return render().film.image(); }
};

std::vector<float> red(const Image& image) { return image.at("R").pixels; }

}  // namespace

TEST_CASE("Colours are the sum of their layers, and the sky is one of them")
{
    TinyScene tiny;
    const bool hidesSky = GENERATE(false, true);
    CAPTURE(hidesSky);
    tiny.scene.hides_sky = hidesSky;
    const Image image = tiny.image();
    REQUIRE((image.find("sky.R") == nullptr) == hidesSky);
    REQUIRE(image.find("glints.R") != nullptr);
    int without = 0;
    for (const std::string c : {"R", "G", "B"}) {
        for (std::size_t i = 0; i < image.at(c).pixels.size(); ++i) {
            const auto of = [&](const std::string& layer) { return image.at(layer + "." + c).pixels[i]; };
            const float sky = hidesSky ? 0 : of("sky"), alpha = image.at("A").pixels[i];
            CHECK(of("direct") + of("indirect") + of("glints") + sky == Approx(image.at(c).pixels[i]).margin(1e-6));
            if (alpha == 1) CHECK(sky == 0);
            if (alpha == 0) CHECK(sky == image.at(c).pixels[i]);
            without += alpha == 0 ? 1 : 0;
        }
    }
    CHECK(without > 100);
}

TEST_CASE("Groups of lights add up to the picture, and each is the picture of its lights")
{
    TinyScene tiny;
    tiny.scene.hides_sky = GENERATE(false, true);
    CAPTURE(tiny.scene.hides_sky);
    tiny.useGroups();
    const Image image = tiny.image();
    tiny.scene.lights = Lights(std::vector<LightSpec>{LightSpec()});
    tiny.settings.layers = {};
    const Image sunOnly = tiny.image();
    CHECK(sunOnly.find("light.key.R") == nullptr);
    for (const std::string c : {"R", "G", "B"}) {
        const auto &sum = image.at(c).pixels, &key = image.at("light.key." + c).pixels,
                   &rest = image.at("light.rest." + c).pixels;
        for (std::size_t i = 0; i < sum.size(); ++i) CHECK(key[i] + rest[i] == Approx(sum[i]).margin(1e-6));
        CHECK(key == sunOnly.at(c).pixels);
    }
}

TEST_CASE("The shadow layer is what arrives over what would arrive, and 1 where nothing is caught")
{
    Film film({0, 0, 2, 1}, 2, 1, {.has_shadows = true});
    PathResult result;
    for (int i = 0; i < 4; ++i) {
        result.caught = Vec3f(i == 0 ? 2.0f : 0.0f, 1, 0);
        result.unshadowed = Vec3f(1, 1, static_cast<float>(i));
        film.add(0, 0, i, result, 0);
        film.add(1, 0, i, sample(1, 1, 1), 0);
    }
    Film whole({0, 0, 2, 1}, 2, 1, film.layers());
    whole.add(film);
    for (const Image& image : {film.image(), whole.image()}) {
        CHECK(image.at("shadow.R").pixels == std::vector<float>{0.5f, 1});
        CHECK(image.at("shadow.G").pixels == std::vector<float>{1, 1});
        CHECK(image.at("shadow.B").pixels == std::vector<float>{0, 1});
    }
    CHECK(Film({0, 0, 2, 1}, 2, 1).image().find("shadow.R") == nullptr);
    Film beside({0, 0, 1, 1}, 1, 1, {.has_shadows = true});  // a lamp's beam
    PathResult bright;
    bright.caught = Vec3f::Ones();
    bright.unshadowed = Vec3f::Constant(1e-4f);
    beside.add(0, 0, 0, bright, 1);
    CHECK(beside.image().find("shadow.G")->pixels[0] == 4);
}

TEST_CASE("A pixel is the mean of its samples, with the standard error of that mean")
{
    // 1, 2, 3, 6: mean 3, squared deviations 4 + 1 + 0 + 9 = 14, standard error sqrt(14 / 3 / 4).
    Film film({5, 7, 1, 1}, 20, 20);
    int number = 0;
    for (const float value : {1.0f, 2.0f, 3.0f, 6.0f}) film.add(5, 7, number++, sample(value, 2 * value, 0), 0);
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
    film.add(0, 0, 0, sample(0, 0, 0), INFINITY);
    for (const float depth : {2.0f, 4.0f}) {
        PathResult hit = sample(1, 1, 1);
        hit.alpha = 1;
        hit.albedo = Vec3f(0.5f, 0.25f, 1);
        film.add(0, 0, 1, hit, depth);
    }
    film.add(0, 0, 0, sample(0, 0, 0), INFINITY);
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
        runWithThreads(threads, [&] { result = encodeExr(tiny.image()); });
        return result;
    };
    const std::vector<std::byte> one = bytes(1);
    CHECK(bytes(2) == one);
    CHECK(bytes(7) == one);
}

TEST_CASE("A crop holds the very pixels of the whole picture")
{
    TinyScene tiny;
    const Image whole = tiny.image();
    tiny.settings.crop = PixelWindow{13, 6, 20, 11};
    const Image crop = tiny.image();
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

TEST_CASE("A noise target is met with fewer paths than without adaptive sampling")
{
    TinyScene tiny;
    tiny.settings.noise_target = 0.015;
    const FrameState target = tiny.render();
    CHECK(target.film.noise() < 0.015);
    CHECK(target.film.noise() > 0.013);
    tiny.settings.noise_target = 0;
    tiny.settings.spp = target.spp();
    CHECK(tiny.render().film.noise() > 1.1 * target.film.noise());
}

TEST_CASE("Pictures with a noise target have the mean of pictures with a fixed number of samples")
{
    TinyScene tiny;
    tiny.settings.width = 20;
    tiny.settings.height = 12;
    const auto mean = [&](double target, int spp, std::uint64_t seed) {
        tiny.settings.noise_target = target;
        tiny.settings.spp = spp;
        tiny.settings.seed = seed;
        const std::vector<float> pixels = red(tiny.image());
        return std::accumulate(pixels.begin(), pixels.end(), 0.0) / static_cast<double>(pixels.size());
    };
    constexpr std::uint32_t pictures = 100;
    std::vector<double> withTarget, withCount;
    for (std::uint64_t i = 0; i < pictures; ++i) {
        withTarget.push_back(mean(0.025, 0, i));
        withCount.push_back(mean(0, 24, pictures + i));
    }
    const test::Estimate adaptive = test::average(pictures, [&](std::uint32_t i) { return withTarget[i]; });
    const test::Estimate fixed = test::average(pictures, [&](std::uint32_t i) { return withCount[i]; });
    CAPTURE(adaptive.mean, fixed.mean, adaptive.error, fixed.error);
    CHECK(adaptive.sigmas(fixed) < 3);
    CHECK(adaptive.error < 0.001 * fixed.mean);
}

TEST_CASE("A noisy pixel gets more samples for its neighbours, not for itself")
{
    Film film({0, 0, 2, 1}, 2, 1);
    for (int i = 0; i < 8; ++i) {
        film.add(0, 0, i, sample(1, 1, 1), 1);
        film.add(1, 0, i, sample(i % 2 ? 1.5f : 0.5f, 1, 1), 1);
    }
    const std::vector<std::int32_t> wanted = nextSamples(film, 0, 2, 1000);
    CHECK(wanted[0] == 32);  // all that the growth allows
    CHECK(wanted[1] == 8);
}

TEST_CASE("A time limit is held")
{
    TinyScene tiny;
    tiny.settings.time_limit_s = 0.2;
    const FrameState result = tiny.render();
    CHECK(result.spp() >= 8);
    CHECK(result.seconds < 2);  // generous: another pass is not begun when it would end late
}

TEST_CASE("A frame that is stopped goes on to the picture of an uninterrupted run")
{
    TinyScene tiny;
    for (const double target : {0.0, 0.004}) {
        tiny.settings.noise_target = target;
        tiny.settings.spp = 512;
        const Image whole = tiny.image();
        FrameState state(tiny.settings);
        std::atomic<int> parts = 0;
        int stops = 0;
        const FrameHooks hooks{.go_on = [&](double) { return ++parts < 3 * (stops + 1); }};
        for (; stops < 100 && !renderFrame({tiny.scene, tiny.camera}, tiny.settings, state, hooks); ++stops) parts = 0;
        CHECK(stops > 1);
        CHECK(state.is_complete);
        CHECK(encodeExr(state.film.image(), {false}) == encodeExr(whole, {false}));
    }
}

TEST_CASE("A frame that is shown in passes has the bits of one that is not, also after an interruption")
{
    TinyScene tiny;
    tiny.settings.spp = 12;
    const Image whole = tiny.image();
    for (const bool isInterrupted : {false, true}) {
        FrameState state(tiny.settings);
        std::vector<int> shown;
        std::vector<double> shares;
        FrameHooks hooks{.go_on = [&](double share) {
            shares.push_back(share);
            return !isInterrupted || shown.size() < 2;
        }};
        hooks.show = [&] { shown.push_back(state.film.sampleCounts().first); };
        const std::vector<int> passes{2, 4, 8};
        if (isInterrupted) {
            REQUIRE_FALSE(renderFrame({tiny.scene, tiny.camera}, tiny.settings, state, hooks));
            CHECK(shown == std::vector<int>{2, 4});
            CHECK_FALSE(state.is_complete);
            REQUIRE(
                renderFrame({tiny.scene, tiny.camera}, tiny.settings, state, {.go_on = [](double) { return true; }}));
        } else {
            REQUIRE(renderFrame({tiny.scene, tiny.camera}, tiny.settings, state, hooks));
            CHECK(shown == passes);
            CHECK(std::ranges::is_sorted(shares));
            CHECK(shares.back() == Approx(1));
        }
        CHECK(state.is_complete);
        CHECK(encodeExr(state.film.image(), {false}) == encodeExr(whole, {false}));
    }
}

TEST_CASE("A tile with very many samples is stopped within it, and goes on to the same picture")
{
    TinyScene tiny;
    tiny.settings.crop = PixelWindow{16, 8, 8, 8};  // within one tile
    tiny.settings.spp = 2048;                       // 131072 paths
    const Image whole = tiny.image();
    FrameState state(tiny.settings);
    REQUIRE_FALSE(
        renderFrame({tiny.scene, tiny.camera}, tiny.settings, state, {.go_on = [](double) { return false; }}));
    CHECK(state.film.counts.paths == 32768);
    CHECK(state.film.sampleCounts() == std::pair(0, 2048));
    REQUIRE(renderFrame({tiny.scene, tiny.camera}, tiny.settings, state, {.go_on = [](double) { return true; }}));
    CHECK(encodeExr(state.film.image(), {false}) == encodeExr(whole, {false}));
}

TEST_CASE("A checkpoint has all that the frame needs to go on")
{
    TinyScene tiny;
    if (GENERATE(false, true)) tiny.useGroups();
    tiny.settings.noise_target = 0.01;
    const Image whole = tiny.image();
    const TemporaryFolder folder;
    FrameState state(tiny.settings);
    int checkpoints = 0;
    FrameHooks hooks{.go_on = [](double) { return true; }};
    hooks.checkpoint = [&] { writeFilm(folder.path / ("film." + std::to_string(checkpoints++)), "header", state); };
    hooks.checkpoint_s = 1e-9;
    REQUIRE(renderFrame({tiny.scene, tiny.camera}, tiny.settings, state, hooks));
    REQUIRE(checkpoints > 3);
    for (int i = 0; i < checkpoints; ++i) {
        FilmFile file = readFilm(folder.path / ("film." + std::to_string(i)));
        CHECK(file.header == "header");
        REQUIRE(
            renderFrame({tiny.scene, tiny.camera}, tiny.settings, file.state, {.go_on = [](double) { return true; }}));
        CHECK(encodeExr(file.state.film.image(), {false}) == encodeExr(whole, {false}));
        CHECK(file.state.film.counts.paths == state.film.counts.paths);
    }
}

TEST_CASE("Films of parts add up to the bits of the whole")
{
    TinyScene tiny;
    if (GENERATE(false, true)) tiny.useGroups();
    tiny.settings.spp = 12;
    const FrameState whole = tiny.render();
    Film sum({0, 0, 40, 24}, 40, 24, tiny.settings.layers);
    for (const auto& [first, count] : {std::pair(4, 8), std::pair(0, 4)}) {
        tiny.settings.first_sample = first;
        tiny.settings.spp = count;
        for (const int x : {21, 0}) {
            tiny.settings.crop = PixelWindow{x, 0, x == 0 ? 21 : 19, 24};
            sum.add(tiny.render().film);
        }
    }
    CHECK(encodeExr(sum.image(), {false}) == encodeExr(whole.film.image(), {false}));
    CHECK(sum.half().colour == whole.film.half().colour);
    CHECK(sum.counts.collisions == whole.film.counts.collisions);
}

TEST_CASE("A film that is damaged is refused")
{
    TinyScene tiny;
    tiny.useGroups();
    const TemporaryFolder folder;
    const auto path = folder.path / "film";
    writeFilm(path, "header", tiny.render());
    std::vector<std::byte> bytes = readFile(path);
    CHECK_NOTHROW(readFilm(path));
    for (std::size_t i = 0; i < bytes.size(); i += bytes.size() / 50) {
        std::vector<std::byte> damaged = bytes;
        damaged[i] ^= std::byte{16};
        writeFileChecked(path, damaged);
        CHECK_THROWS_AS(readFilm(path), Error);
        damaged.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i));
        writeFileChecked(path, damaged);
        CHECK_THROWS_AS(readFilm(path), Error);
    }
}

TEST_CASE("The standard error shrinks with the root of the sample count")
{
    // Independent samples: 16 times as many, a quarter of the error; stratification may only do better than that.
    TinyScene tiny;
    const double few = tiny.render().film.noise();
    tiny.settings.spp = 64;
    const double many = tiny.render().film.noise();
    CHECK(few / many == Approx(4).epsilon(0.25));
}

TEST_CASE("Glints are a layer of their own and part of the picture, but not of its noise")
{
    Film film({0, 0, 1, 1}, 1, 1);
    for (int i = 0; i < 4; ++i) {
        film.add(0, 0, i, sample(1, 1, 1), 0);
        film.addSeen(0, 0, {true, Vec3f::UnitY(), Vec3f::Ones(), Vec3f(0, i == 2 ? 8.0f : 0.0f, 0)});
    }
    const Image image = film.image();
    CHECK(image.at("glints.R").pixels[0] == 0);
    CHECK(image.at("glints.G").pixels[0] == 2);
    CHECK(image.at("G").pixels[0] == 3);
    CHECK(image.at("R").pixels[0] == 1);
    CHECK(image.at("stderr.G").pixels[0] == 0);
    CHECK(film.half().colour[1][0] == 1);
    CHECK(image.find("gloss.R") == nullptr);
    CHECK(TinyScene().image().find("glints.R") != nullptr);
}

TEST_CASE("Gloss is a layer of its own and part of the picture")
{
    Film film({0, 0, 1, 1}, 1, 1);
    SeenSurface seen{true, Vec3f::UnitY(), Vec3f::Ones()};
    for (int i = 0; i < 4; ++i) {
        film.add(0, 0, i, sample(1, 1, 1), 0);
        seen.gloss = Vec3f(0.5f, static_cast<float>(i), 0);
        film.addSeen(0, 0, seen);
    }
    Film whole({0, 0, 1, 1}, 1, 1);
    whole.add(film);
    for (const Image& image : {film.image(), whole.image()}) {
        CHECK(image.at("gloss.R").pixels[0] == 0.5f);
        CHECK(image.at("gloss.G").pixels[0] == 1.5f);
        CHECK(image.at("G").pixels[0] == 2.5f);
        CHECK(image.at("B").pixels[0] == 1);
        CHECK(image.find("glints.R") == nullptr);
    }
}
