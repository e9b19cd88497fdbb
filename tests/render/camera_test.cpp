#include <catch2/catch.hpp>

#include <cmath>

#include "common/error.h"
#include "render/camera.h"

using namespace firn;

namespace {

Camera keyed()
{
    Camera camera;
    camera.keys = {{0, Vec3d(3, 1, 3), Vec3d(0, 0, 0), 35},
                   {1, Vec3d(3, 2, 3), Vec3d(1, 0, 0), 35},
                   {3, Vec3d(3, 2, 6), Vec3d(1, 0, 2), 50},
                   {4, Vec3d(3, 1, 6), Vec3d(1, 0, 2), 50}};
    return camera;
}

/// A row of a matrix times (p, 1).
double rowTimes(const Matrix4f& matrix, std::size_t row, const Vec3d& p)
{
    const auto at = [&](std::size_t column) { return static_cast<double>(matrix[4 * row + column]); };
    return at(0) * p.x() + at(1) * p.y() + at(2) * p.z() + at(3);
}

}  // namespace

TEST_CASE("The camera sees look_at in the centre of the picture")
{
    Camera camera;
    camera.position = Vec3d(3, 1.5, -2);
    camera.look_at = Vec3d(0.4, 0.1, 0.7);
    const PlacedCamera pinhole(camera, 0, 640, 360);
    const Vec3d seen = pinhole.project(camera.look_at);
    CHECK(seen.x() == Approx(320));
    CHECK(seen.y() == Approx(180));
    CHECK(seen.z() == Approx((camera.look_at - camera.position).norm()));
    const Ray ray = pinhole.ray(320, 180);
    CHECK(ray.direction.dot((camera.look_at - camera.position).normalized().cast<float>()) == Approx(1));
}

TEST_CASE("Focal length and sensor width give the field of view")
{
    // tan(half angle) = 36 / (2 * 50) = 0.36, whatever the resolution and the height.
    Camera camera;
    camera.position = Vec3d(0, 0, 5);
    camera.focal_length_mm = 50;
    for (const int width : {480, 1920}) {
        const PlacedCamera pinhole(camera, 0, width, 270);
        const Vec3f left = pinhole.ray(0, 135).direction;
        CHECK(-left.x() / -left.z() == Approx(0.36));
        CHECK(left.y() == Approx(0).margin(1e-6));
        CHECK(pinhole.ray(static_cast<float>(width) / 2, 0).direction.y() > 0);  // the top row looks up
    }
}

TEST_CASE("A camera that rolls lowers its right side")
{
    Camera camera;
    camera.position = Vec3d(0, 0, 5);
    camera.look_at = Vec3d::Zero();
    camera.roll_deg = 30;
    const PlacedCamera rolled(camera, 0, 640, 360);
    const Vec3d middle = rolled.project(Vec3d::Zero()), right = rolled.project(Vec3d(0.5, 0, 0));
    CHECK(middle.x() == Approx(320));
    CHECK(middle.y() == Approx(180));
    // The horizon rises to the right: rows are counted downwards.
    CHECK(std::atan2(middle.y() - right.y(), right.x() - middle.x()) == Approx(30 * pi / 180));
    CHECK(rolled.worldToCamera()[0] == Approx(std::cos(30 * pi / 180)));
    camera.keys = {{0, camera.position, camera.look_at, 35, 0, 0}, {2, camera.position, camera.look_at, 35, 0, 60}};
    CHECK(cameraAt(camera, 1).roll_deg == Approx(30));
}

TEST_CASE("A shifted lens shows another part of the same projection")
{
    Camera camera;
    camera.position = Vec3d(0, 0, 5);
    camera.look_at = Vec3d(0, 0, 0);
    const PlacedCamera plain(camera, 0, 640, 360);
    camera.lens_shift_x = 0.25;
    camera.lens_shift_y = 0.1;
    const PlacedCamera shifted(camera, 0, 640, 360);
    for (const Vec3d& point : {Vec3d(0, 0, 0), Vec3d(1, 2, 0.5), Vec3d(0.3, -0.4, -7)}) {
        const Vec3d before = plain.project(point), after = shifted.project(point);
        CHECK(after.x() == Approx(before.x() - 160));
        CHECK(after.y() == Approx(before.y() + 64));
        CHECK(after.z() == Approx(before.z()));
        const Ray ray = shifted.ray(static_cast<float>(after.x()), static_cast<float>(after.y()));
        CHECK(ray.direction.dot((point - camera.position).normalized().cast<float>()) == Approx(1));
    }
    // What each of them shows: the axis lies 160 pixels from the left edge, and 244 from the upper one.
    const auto at = [&](double x, double y) -> Vec3d {
        return shifted.ray(static_cast<float>(x), static_cast<float>(y)).at(5).cast<double>();
    };
    for (const double x : {1., 639.}) {
        for (const double y : {1., 359.}) CHECK(shifted.mayShow(at(x, y), 1e-6));
    }
    CHECK_FALSE(shifted.mayShow(at(-3, 180), 1e-6));
    CHECK_FALSE(shifted.mayShow(at(643, 180), 1e-6));
    CHECK_FALSE(shifted.mayShow(at(320, -3), 1e-6));
    CHECK_FALSE(shifted.mayShow(at(320, 363), 1e-6));
}

TEST_CASE("Rays and projection are inverses")
{
    Camera camera = keyed();
    for (CameraKey& key : camera.keys) key.roll_deg = 20 * key.time_s;
    camera.lens_shift_x = -0.3;
    const PlacedCamera pinhole(camera, 1.7, 960, 540);
    for (const Vec2f& pixel : {Vec2f(0, 0), Vec2f(17.25f, 401.5f), Vec2f(960, 540)}) {
        const Vec3d seen = pinhole.project(pinhole.ray(pixel.x(), pixel.y()).at(7).cast<double>());
        CHECK(seen.x() == Approx(static_cast<double>(pixel.x())).margin(2e-3));
        CHECK(seen.y() == Approx(static_cast<double>(pixel.y())).margin(2e-3));
    }
}

TEST_CASE("The camera matrix takes the position to the origin and the target onto +z")
{
    Camera camera;
    camera.position = Vec3d(1, 2, 3);
    camera.look_at = Vec3d(4, -2, 3);  // 5 m away
    const Matrix4f matrix = PlacedCamera(camera, 0, 100, 100).worldToCamera();
    const auto transform = [&](const Vec3d& p, std::size_t row) { return rowTimes(matrix, row, p); };
    for (std::size_t row = 0; row < 3; ++row) {
        CHECK(transform(camera.position, row) == Approx(0).margin(1e-5));
        CHECK(transform(camera.look_at, row) == Approx(row == 2 ? 5.0 : 0.0).margin(1e-5));
    }
}

TEST_CASE("The matrix of the picture takes points to where the camera shows them")
{
    Camera camera;
    camera.position = Vec3d(1, 2, 3);
    camera.look_at = Vec3d(4, -2, 3);
    camera.roll_deg = 20;
    camera.lens_shift_x = 0.1;
    camera.lens_shift_y = -0.2;
    constexpr int width = 320, height = 180;
    const PlacedCamera placed(camera, 0, width, height);
    const Matrix4f matrix = placed.worldToNdc();
    const auto transform = [&](const Vec3d& p, std::size_t row) { return rowTimes(matrix, row, p); };
    for (const Vec3d& point : {Vec3d(4, -2, 3), Vec3d(3, 0, 2.5), Vec3d(5, -1, 4)}) {
        const Vec3d pixel = placed.project(point);
        const double w = transform(point, 3);
        CHECK(w == Approx(pixel.z()));
        CHECK(transform(point, 0) / w == Approx(pixel.x() / width).margin(1e-5));
        CHECK(transform(point, 1) / w == Approx(pixel.y() / height).margin(1e-5));
        CHECK(transform(point, 2) / w == Approx(1 - 1 / pixel.z()).margin(1e-5));
    }
}

TEST_CASE("Camera moves pass through their keys, without kinks, and hold at the ends")
{
    const Camera camera = keyed();
    for (const CameraKey& key : camera.keys) {
        CHECK((cameraAt(camera, key.time_s).position - key.position).norm() < 1e-12);
        CHECK(cameraAt(camera, key.time_s).focal_length_mm == Approx(key.focal_length_mm));
    }
    CHECK(cameraAt(camera, -1).position == camera.keys.front().position);
    CHECK(cameraAt(camera, 9).position == camera.keys.back().position);
    const double e = 1e-5;
    for (const double time : {1.0, 3.0}) {
        const Vec3d at = cameraAt(camera, time).position;
        const Vec3d before = (at - cameraAt(camera, time - e).position) / e;
        const Vec3d after = (cameraAt(camera, time + e).position - at) / e;
        CHECK((before - after).norm() < 1e-3);  // both within O(e) of the one slope
    }
}

TEST_CASE("Two camera keys make a steady move")
{
    Camera camera;
    camera.keys = {{0, Vec3d(0, 1, 0), Vec3d(0, 0, 9), 35}, {2, Vec3d(4, 1, 0), Vec3d(0, 0, 9), 35}};
    CHECK(cameraAt(camera, 0.5).position.x() == Approx(1));  // a quarter of 4 m
}

TEST_CASE("A camera that looks straight down has x to the right; one that looks at itself is refused")
{
    Camera camera;
    camera.position = Vec3d(0, 5, 0);
    const PlacedCamera down(camera, 0, 100, 100);
    CHECK(down.project(Vec3d(1, 0, 0)).x() > 50);
    camera.look_at = camera.position;
    CHECK_THROWS_AS(PlacedCamera(camera, 0, 100, 100), Error);
}

TEST_CASE("The pixel filter is a tent")
{
    // Density 1 - |x| on [-1, 1]: mean 0, variance 1/6, and P(|x| < 1/2) = 3/4. Midpoints of 1000 strata are within
    // 1e-5.
    double sum = 0, squares = 0;
    int inner = 0;
    for (int i = 0; i < 1000; ++i) {
        const double x = static_cast<double>(sampleTent(Vec2f((static_cast<float>(i) + 0.5f) / 1000, 0), 1).x());
        sum += x;
        squares += x * x;
        inner += std::abs(x) < 0.5;
    }
    CHECK(sum / 1000 == Approx(0).margin(1e-5));
    CHECK(squares / 1000 == Approx(1.0 / 6).epsilon(1e-3));
    CHECK(inner == 750);
    CHECK(sampleTent(Vec2f(1, 0), 2.5f) == Vec2f(2.5f, -2.5f));
}
