#include <catch2/catch.hpp>

#include <numbers>
#include <random>
#include <vector>

#include "common/error.h"
#include "common/image/exr.h"
#include "render/frame.h"
#include "render/shot.h"

using namespace firn;

namespace {

constexpr int width = 80, height = 4, samples = 1024;
constexpr double distance_m = 100, pixel_m = 0.025;  // of the plate; a pixel in its plane
constexpr double blur_m = 0.225;                     // radius, with focus at half of the distance and f/4

/// A thin plate covers the left half of the picture.
Scene sceneWithPlate()
{
    Scene scene;
    scene.render.width = width;
    scene.render.height = height;
    scene.lights = {LightSpec()};
    scene.camera.position = Vec3d(0, 0, distance_m);
    scene.camera.focal_length_mm = 36 * distance_m / (width * pixel_m);
    scene.camera.f_stop = 4;
    BodySpec plate;
    plate.name = "plate";
    plate.shape = BodyShape::Box;
    plate.size = Vec3d(100, 100, 0.001);
    plate.position = Vec3d(-50, 0, 0);
    scene.bodies = {plate};
    return scene;
}

SnowParticles noSnow()
{
    SnowParticles snow;
    snow.frame = 1;
    return snow;
}

/// Of the second row.
std::vector<double> alphaOf(const Scene& scene)
{
    const ShotFrame frame = Shot(scene).frame(noSnow());
    FrameSettings settings;
    settings.width = width;
    settings.height = height;
    settings.spp = samples;
    settings.filter_radius_px = 0.01;
    FrameState state(settings);
    const FrameView view(frame.renderScene(), frame.camera(width, height));
    REQUIRE(renderFrame(view, settings, state, {.go_on = [](double) { return true; }}));
    const Image image = state.film.image();
    const auto row = image.at("A").pixels.begin() + width;
    return {row, row + width};
}

/// Share of the unit disc left of x; of the square with corners on both axes.
double ofDisc(double x) { return 0.5 + (x * std::sqrt(1 - x * x) + std::asin(x)) / std::numbers::pi; }
double ofSquare(double x) { return x < 0 ? (1 + x) * (1 + x) / 2 : 1 - (1 - x) * (1 - x) / 2; }

template <class Share>
void checkEdge(const std::vector<double>& alpha, const Share& share)
{
    for (int pixel = 0; pixel < width; ++pixel) {
        CAPTURE(pixel);
        const double x = (pixel + 0.5 - 0.5 * width) * pixel_m;
        const double expected = share(std::clamp(-x / blur_m, -1.0, 1.0));
        CHECK(alpha[static_cast<std::size_t>(pixel)] == Approx(expected).margin(0.02));
    }
}

std::vector<Eigen::Vector2d> pointsOf(int blades, double rotation)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<Eigen::Vector2d> points;
    for (int i = 0; i < 100'000; ++i) {
        const float x = uniform(random);
        points.push_back(Lens{2, 1, blades, rotation}.point({x, uniform(random)}));
    }
    return points;
}

double shareWithin(const std::vector<Eigen::Vector2d>& points, double radius)
{
    const auto inside = std::ranges::count_if(points, [&](const auto& p) { return p.norm() < radius; });
    return static_cast<double>(inside) / static_cast<double>(points.size());
}

}  // namespace

TEST_CASE("An edge that is not in focus is as wide as the disc of blur, before and behind the focus", "[focus]")
{
    Scene scene = sceneWithPlate();
    // 2 R |1 - distance / focus| is the same for both.
    const double focus_m = GENERATE(distance_m / 2, 1e5);
    scene.camera.focus_distance_m = focus_m;
    if (focus_m > distance_m) scene.camera.f_stop *= 1 - distance_m / focus_m;
    checkEdge(alphaOf(scene), ofDisc);
}

TEST_CASE("Four blades blur an edge as a square does", "[focus]")
{
    Scene scene = sceneWithPlate();
    scene.camera.focus_distance_m = distance_m / 2;
    scene.camera.blades = 4;
    checkEdge(alphaOf(scene), ofSquare);
}

TEST_CASE("What is in focus is sharp: at a distance, at look_at, and a body", "[focus]")
{
    Scene scene = sceneWithPlate();
    const int way = GENERATE(0, 1, 2);
    if (way == 0) scene.camera.focus_distance_m = distance_m;
    if (way == 2) {
        scene.camera.look_at = Vec3d(0, 0, 50);
        scene.camera.focus_body = "plate";
    }
    const std::vector<double> alpha = alphaOf(scene);
    for (int pixel = 0; pixel < width; ++pixel)
        CHECK(alpha[static_cast<std::size_t>(pixel)] == (pixel < width / 2 ? 1 : 0));
}

TEST_CASE("The focus follows a body that moves", "[focus]")
{
    Scene scene = sceneWithPlate();
    scene.camera.focus_body = "plate";
    scene.bodies[0].velocity = Vec3d(0, 0, 10);
    const Shot shot(scene);
    CHECK(shot.focusedCamera(0).focus_distance_m == Approx(distance_m));
    CHECK(shot.focusedCamera(2).focus_distance_m == Approx(distance_m - 20));
    CHECK_THROWS_AS(shot.focusedCamera(11), Error);  // behind the camera
}

TEST_CASE("Between keys, the focus moves from that of one key to that of the next", "[focus]")
{
    Camera camera;
    camera.f_stop = 2;
    const Vec3d from(0, 1, 0), at(0, 1, 4);
    camera.keys = {{0, from, at, 50, 0}, {1, from, at, 50, 2}};
    CHECK(PlacedCamera(camera, 0, 64, 36).lens().focus_m == Approx(4));  // of look_at
    CHECK(PlacedCamera(camera, 0.5, 64, 36).lens().focus_m == Approx(3));
    CHECK(PlacedCamera(camera, 1, 64, 36).lens().focus_m == Approx(2));
    CHECK(PlacedCamera(camera, 1, 64, 36).lens().radius_m == Approx(0.0125));
}

TEST_CASE("Points of the aperture are even in a disc and in polygons", "[focus]")
{
    CHECK(shareWithin(pointsOf(0, 0), 1) == Approx(0.25).margin(0.005));
    CHECK(shareWithin(pointsOf(0, 0), 2) == 1);
    for (const int blades : {3, 6}) {
        const double half = std::numbers::pi / blades, inner = 2 * std::cos(half);  // radius of the circle inside
        const double rotation = 0.3;
        const std::vector<Eigen::Vector2d> points = pointsOf(blades, rotation);
        const double area = 2 * blades * std::sin(2 * half);
        CHECK(shareWithin(points, inner) == Approx(std::numbers::pi * inner * inner / area).margin(0.006));
        for (int edge = 0; edge < blades; ++edge) {
            const double angle = rotation + std::numbers::pi / 2 + (2 * edge + 1) * half;
            const Eigen::Vector2d normal(std::cos(angle), std::sin(angle));
            CHECK(std::ranges::all_of(points, [&](const auto& p) { return p.dot(normal) < inner + 1e-6; }));
        }
    }
}

TEST_CASE("Whatever a ray through the lens meets may show in the picture", "[focus]")
{
    Camera camera;
    camera.f_stop = 0.5;
    camera.focus_distance_m = 2;
    const PlacedCamera placed(camera, 0, 64, 36);
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform(0, 1);
    int outside = 0;
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        const float x = 64 * uniform(random), y = 36 * uniform(random);
        const Ray ray = placed.ray(x, y, Sampler(1, i, 0));
        const Vec3d met = ray.at(10 * uniform(random)).cast<double>();
        REQUIRE(placed.mayShow(met, 1e-5));
        const Vec3d seen = placed.project(met);
        outside += seen.x() < 0 || seen.x() > 64 || seen.y() < 0 || seen.y() > 36;
    }
    CHECK(outside > 100);  // of what a pinhole would show
}

TEST_CASE("The smallest detail that shows is a pixel in focus, and a part of the blur elsewhere", "[focus]")
{
    Camera camera;
    camera.position = Vec3d(0, 0, 4);
    camera.f_stop = 0.5;
    camera.focus_distance_m = 4;
    const PlacedCamera placed(camera, 0, 1000, 500);
    CHECK(placed.detailOf(Vec3d::Zero(), 1e-6) == Approx(placed.pixelAt(4)));
    CHECK(placed.detailOf(Vec3d(0, 0, -8), 0) == Approx(0.25 * placed.lens().blurAt(12)));
    CHECK(placed.detailOf(Vec3d(0, 0, -1), 1) == Approx(placed.pixelAt(4)));  // the plane in focus is within
}
