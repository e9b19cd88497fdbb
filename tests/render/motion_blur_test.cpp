#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "common/image/exr.h"
#include "common/io/threads.h"
#include "render/frame.h"
#include "render/shot.h"

using namespace firn;

namespace {

constexpr int width = 80, height = 4;
constexpr double pixel_m = 0.025;  // in the plane z = 0

/// One frame a second, with the shutter open for .5 s around time 2. The camera looks along -z from far away.
Scene sceneFor(int slices)
{
    Scene scene;
    scene.fps = 1;
    scene.start_frame = 0;
    scene.end_frame = 4;
    scene.solver.dx = 0.05;
    scene.render.detail = "off";
    scene.render.glints = 0;
    scene.render.shutter_slices = slices;
    scene.render.width = width;
    scene.render.height = height;
    scene.lights = {LightSpec()};
    constexpr double distance_m = 100;
    scene.camera.position = Vec3d(0, 0, distance_m);
    scene.camera.focal_length_mm = 36 * distance_m / (width * pixel_m);
    scene.camera.shutter_deg = 180;
    return scene;
}

BodySpec boxAt(const Vec3d& place)
{
    BodySpec box;
    box.name = "box";
    box.shape = BodyShape::Box;
    box.position = place;
    return box;
}

/// 1 m/s along x, at the origin at time 2.
BodySpec movingBox()
{
    BodySpec box = boxAt(Vec3d::Zero());
    box.keys = {{0, Vec3d(-2, 0, 0), Vec3d::Zero(), Easing::Linear},
                {4, Vec3d(2, 0, 0), Vec3d::Zero(), Easing::Linear}};
    return box;
}

/// A block of snow of .4 m with the same velocity everywhere.
SnowParticles block(const Vec3f& velocity)
{
    constexpr int n = 16;
    constexpr double spacing_m = 0.025;
    SnowParticles snow;
    snow.frame = 2;
    snow.dx_m = 0.05;
    for (int i = 0; i < n * n * n; ++i) {
        const Vec3i cell(i % n, i / n % n, i / (n * n));
        snow.position_m.push_back(spacing_m * (cell.cast<double>() - Vec3d::Constant(0.5 * (n - 1))));
        snow.velocity_m_s.push_back(velocity);
        snow.stretch.push_back(1);
        snow.mass_kg.push_back(400 * 1.5625e-5f);
        snow.volume0_m3.push_back(1.5625e-5f);
        snow.id.push_back(static_cast<std::uint32_t>(i));
        snow.material.push_back(0);
    }
    return snow;
}

SnowParticles noSnow()
{
    SnowParticles snow;
    snow.frame = 2;
    return snow;
}

/// A picture of frame 2.
struct Picture {
    Shot shot;
    std::vector<ShotFrame> slices;
    FrameView view;
    FrameSettings settings;

    Picture(const Scene& scene, const SnowParticles& snow, int spp)
        : shot(scene),
          slices(shot.slices(snow)),
          view(scenes(), MovingCamera(scene.camera, shot.shutterOf(2), width, height))
    {
        settings.width = width;
        settings.height = height;
        settings.spp = spp;
    }

    FrameState render() const
    {
        FrameState state(settings);
        REQUIRE(renderFrame(view, settings, state, {.go_on = [](double) { return true; }}));
        return state;
    }

    /// Of the second row.
    std::vector<double> alpha() const
    {
        const Image image = render().film.image();
        const auto row = image.at("A").pixels.begin() + width;
        return {row, row + width};
    }

private:
    std::vector<const RenderScene*> scenes() const
    {
        std::vector<const RenderScene*> result;
        for (const ShotFrame& slice : slices) result.push_back(&slice.renderScene());
        return result;
    }
};

/// The share of the time in which a bar of `length_m` covers a pixel, whose middle goes from -.25 to .25 m meanwhile.
double covered(int pixel, double length_m)
{
    constexpr int steps = 1000;
    const double x = (pixel + 0.5 - 0.5 * width) * pixel_m;
    int coveredSteps = 0;
    for (int i = 0; i < steps; ++i) {
        const double middle = -0.25 + 0.5 * (i + 0.5) / steps;
        if (std::abs(x - middle) < 0.5 * length_m) ++coveredSteps;
    }
    return static_cast<double>(coveredSteps) / steps;
}

void checkCovered(const std::vector<double>& alpha)
{
    for (int pixel = 0; pixel < width; ++pixel) {
        CAPTURE(pixel);
        CHECK(alpha[static_cast<std::size_t>(pixel)] == Approx(covered(pixel, 1)).margin(0.04));
    }
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

TEST_CASE("In each slice of the shutter, snow is where its velocity brings it", "[motion_blur]")
{
    constexpr int sliceCount = 4;
    Scene scene = sceneFor(sliceCount);
    scene.camera.shutter_offset_deg = GENERATE(0.0, 90.0);
    const double start_s = scene.camera.shutter_offset_deg / 360 - 0.25;
    const Shot shot(scene);
    const std::vector<ShotFrame> slices = shot.slices(block(Vec3f(8, 0, 0)));
    REQUIRE(slices.size() == sliceCount);
    for (int k = 0; k < sliceCount; ++k) {
        const double time_s = start_s + 0.5 * (k + 0.5) / sliceCount;
        CHECK(slices[static_cast<std::size_t>(k)].time_s() == Approx(2 + time_s));
        for (int other = 0; other < sliceCount; ++other) {
            const Vec3f place(static_cast<float>(8 * time_s), 0, 0);
            const bool isThere = slices[static_cast<std::size_t>(other)].renderScene().volume->extinction(place) > 0;
            CHECK(isThere == (other == k));
        }
    }
}

TEST_CASE("A body that moves covers each pixel for its share of the time, also in one slice", "[motion_blur]")
{
    Scene scene = sceneFor(GENERATE(1, 4));
    scene.bodies = {movingBox()};
    checkCovered(Picture(scene, noSnow(), 512).alpha());
}

TEST_CASE("A camera that moves past a body at rest shows what one at rest shows of a moving body", "[motion_blur]")
{
    Scene scene = sceneFor(3);
    scene.bodies = {boxAt(Vec3d::Zero())};
    const Vec3d from = scene.camera.position, way(2, 0, 0);
    scene.camera.keys = {{0, from + way, way, scene.camera.focal_length_mm},
                         {4, from - way, -way, scene.camera.focal_length_mm}};
    checkCovered(Picture(scene, noSnow(), 512).alpha());
}

TEST_CASE("Snow that moves covers as much of the picture as at rest, spread over its way", "[motion_blur]")
{
    const Scene scene = sceneFor(16);
    const std::vector<double> still = Picture(scene, block(Vec3f::Zero()), 256).alpha();
    const std::vector<double> moving = Picture(scene, block(Vec3f(2, 0, 0)), 256).alpha();  // 1 m, 40 pixels
    // In a slice, particles are at different times, so dense snow is longer by at most its way in the slice: 40 / 16.
    CHECK(sum(moving) > 0.98 * sum(still));
    CHECK(sum(moving) < 1.02 * sum(still) + 40.0 / 16);
    const auto widthOf = [](const std::vector<double>& row) {
        return std::ranges::count_if(row, [](double a) { return a > 0.01; });
    };
    CHECK(static_cast<double>(widthOf(moving) - widthOf(still)) == Approx(40).margin(4));
    CHECK(std::ranges::max(still) == 1);
    CHECK(std::ranges::max(moving) == Approx(sum(still) / 40).epsilon(0.15));
}

TEST_CASE("Glints that a moving camera spreads over many pixels are fainter and more, with the same light",
          "[motion_blur]")
{
    Scene scene = sceneFor(2);
    scene.render.glints = 20;
    scene.camera.focal_length_mm *= 5;  // pixels of 5 mm
    scene.lights.front().elevation_deg = 30;
    scene.lights.front().azimuth_deg = 0;
    const auto glints = [&] {
        const Image image = Picture(scene, block(Vec3f::Zero()), 64).render().film.image();
        const std::vector<float>& pixels = image.at("glints.G").pixels;
        return std::vector<double>(pixels.begin(), pixels.end());
    };
    const std::vector<double> resting = glints();
    const Vec3d from = scene.camera.position, way(0.4, 0, 0);  // 10 pixels
    scene.camera.keys = {{0, from + way, way, scene.camera.focal_length_mm},
                         {4, from - way, -way, scene.camera.focal_length_mm}};
    const std::vector<double> moving = glints();
    CHECK(std::ranges::max(resting) > 0.1);
    CHECK(std::ranges::max(moving) < 0.75 * std::ranges::max(resting));
}

TEST_CASE("Without a number of slices, there are so many that snow and bodies that deform move little in one",
          "[motion_blur]")
{
    Scene scene = sceneFor(0);
    const SnowParticles fast = block(Vec3f(1.98f, 0, 0));  // 40 pixels
    CHECK(Shot(scene).sliceCount(fast) == 20);
    CHECK(Shot(scene).sliceCount(block(Vec3f::Zero())) == 1);
    CHECK(Shot(scene).sliceCount(block(Vec3f(20, 0, 0))) == 24);
    CHECK(Shot(scene).sliceRemark(fast).empty());
    const double still = sum(Picture(scene, block(Vec3f::Zero()), 256).alpha());
    CHECK(sum(Picture(scene, fast, 256).alpha()) == Approx(still).margin(0.04 * still));
    scene.render.shutter_slices = 4;
    CHECK(Shot(scene).sliceCount(fast) == 4);
    CHECK(Shot(scene).sliceRemark(fast) ==
          "fast snow moves by 40 pixels while the shutter is open, which shows in 4 slices of its time: expected "
          "render.shutter_slices = 20");
    scene.render.shutter_slices = 12;
    CHECK(Shot(scene).sliceRemark(fast).empty());
    scene.camera.shutter_deg = 0;
    CHECK(Shot(scene).sliceCount(fast) == 1);
    CHECK(Shot(scene).sliceRemark(fast).empty());
}

TEST_CASE("With motion blur too, a picture has the same bits for any threads, and after a stop", "[motion_blur]")
{
    Scene scene = sceneFor(5);
    scene.bodies = {movingBox()};
    const Picture picture(scene, block(Vec3f(2, 0, 0)), 64);
    const std::vector<std::byte> whole = encodeExr(picture.render().film.image(), {false});
    for (const int threads : {1, 3}) {
        std::vector<std::byte> found;
        runWithThreads(threads, [&] { found = encodeExr(picture.render().film.image(), {false}); });
        CHECK(found == whole);
    }
    FrameState state(picture.settings);
    std::atomic<int> calls = 0;
    int stops = 0;
    const FrameHooks hooks{.go_on = [&](double) { return ++calls < stops + 2; }};
    for (; stops < 100 && !renderFrame(picture.view, picture.settings, state, hooks); ++stops) calls = 0;
    CHECK(stops > 0);
    CHECK(encodeExr(state.film.image(), {false}) == whole);
}

TEST_CASE("Without a shutter angle, a frame has one slice, at its time", "[motion_blur]")
{
    Scene scene = sceneFor(8);
    scene.camera.shutter_deg = 0;
    scene.camera.shutter_offset_deg = 90;
    const Shot shot(scene);
    const std::vector<ShotFrame> slices = shot.slices(block(Vec3f(8, 0, 0)));
    REQUIRE(slices.size() == 1);
    CHECK(slices.front().time_s() == 2);
    CHECK(slices.front().renderScene().volume->extinction(Vec3f::Zero()) > 0);
}
