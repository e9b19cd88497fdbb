// Volumes with detail: bricks of several levels, grains, the surface of snow.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/io/threads.h"
#include "render/cube.h"
#include "render/detail_plan.h"
#include "render/detail_volume.h"
#include "render/grains.h"
#include "render/rest_places.h"
#include "render/snow_surface.h"
#include "render/sparse_index.h"
#include "render/wide_tracking.h"
#include "snow_samples.h"

using namespace firn;
using namespace firn::test;

namespace {

PlacedCamera cameraAbove(double height_m, int width)
{
    Camera camera;
    camera.position = Vec3d(0, height_m, 0.01);
    camera.look_at = Vec3d(0, 0, 0);
    return {camera, 0, width, width};
}

DetailVolume detailOf(const SnowParticles& frame, const PlacedCamera& camera, const DetailSettings& detail = {})
{
    DensitySettings settings;
    settings.voxel_m = size_m;
    return detailVolume({frame, historyOf(frame, RestPlaces(), settings), {}, {}, nullptr}, settings, 1, camera,
                        detail);
}

/// A brick of level 1 beside bricks of level 0, and a field that is linear in space.
float linearField(const Vec3f& p) { return 0.05f + 0.01f * p.x() + 0.003f * p.y() + 0.002f * p.z(); }

Bricks bricksOfTwoLevels()
{
    Bricks bricks;
    const auto add = [&](const Vec3i& origin, int level) {
        bricks.origins.push_back(origin);
        bricks.levels.push_back(static_cast<std::uint8_t>(level));
        Bricks::Values& values = bricks.bricks.emplace_back();
        constexpr int n = Bricks::values;
        for (int i = 0; i < n * n * n; ++i) {
            const Vec3i at = origin + cubeCoordinates(i, n) * (1 << level);
            values[static_cast<std::size_t>(i)] = linearField(at.cast<float>());
        }
    };
    add(Vec3i(0, 0, 0), 1);
    for (int i = 0; i < 4; ++i) add(Vec3i(16, 8 * (i >> 1), 8 * (i & 1)), 0);
    indexBricks(bricks, 1);
    return bricks;
}

}  // namespace

TEST_CASE("Bricks of two levels hold one field, and light is tracked through both", "[detail]")
{
    const Volume volume(bricksOfTwoLevels(), Vec3d::Zero(), 1);
    for (int i = 0; i < 200; ++i) {
        const Vec3f p(0.12f * static_cast<float>(i), 0.07f * static_cast<float>(i),
                      15.9f - 0.05f * static_cast<float>(i));
        CHECK(volume.bricks().at(p) == Approx(linearField(p)).epsilon(1e-5));
        const Bricks::Block block = volume.bricks().block(int4(p.cast<int>(), 0));
        CHECK(block.majorant >= volume.bricks().at(p));
    }
    // The integral of a linear field over the box of 24 x 16 x 16 units is its value in the middle times the volume.
    CHECK(volume.extinctionIntegral() == Approx(linearField(Vec3f(12, 8, 8)) * 24 * 16 * 16).epsilon(1e-5));

    constexpr int count = 20000;
    RayBatch rays(count);
    for (int i = 0; i < count; ++i) {
        rays.origin.set(i, Vec3f(-1, 3.3f, 5.2f));
        rays.direction.set(i, Vec3f::UnitX());
        rays.t_max[i] = infinity;
        rays.depth[i] = -std::log(1 - (static_cast<float>(i) + 0.5f) / count);
        rays.key[i] = 977 * static_cast<std::uint64_t>(i) + 5;
    }
    rays.count = count;
    Column<float> transmittances(count);
    estimateTransmittances(volume, rays, transmittances);
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
        sum += static_cast<double>(transmittances[i]);
        squares += std::pow(static_cast<double>(transmittances[i]), 2);
    }
    const double mean = sum / count, error = std::sqrt((squares / count - mean * mean) / count);
    const double depth = 24 * static_cast<double>(linearField(Vec3f(12, 3.3f, 5.2f)));
    CHECK(std::abs(mean - std::exp(-depth)) < 4 * error);
}

TEST_CASE("Flat snow has its density inside, nothing outside, and a crisp border", "[detail]")
{
    const SnowParticles snow = flatSnow();
    const DetailVolume made = detailOf(snow, cameraAbove(1, 512));
    const double pixel_m = cameraAbove(1, 512).pixelAt(1);
    const auto at = [&](double x, double y, double z) { return made.volume.extinction(Vec3d(x, y, z).cast<float>()); };
    double height = 0, width = 0;
    constexpr int columns = 400;
    for (int i = 0; i < columns; ++i) {
        const int column = i % 20 - 10, row = i / 20 - 10;
        const double x = 0.01 * column + 0.0013, z = 0.01 * row + 0.0007;
        CHECK(at(x, -0.05, z) == Approx(density).epsilon(0.03));
        CHECK(at(x, 0.02, z) == 0);
        double upper = -0.04, lower = -0.04;  // where 10 and 90 % are passed
        const int steps = static_cast<int>(0.06 / (0.05 * pixel_m));
        for (int step = 0; step < steps; ++step) {
            const double y = 0.02 - 0.05 * pixel_m * step;
            if (at(x, y, z) < 0.1f * density) upper = y;
            if (at(x, y, z) < 0.9f * density) lower = y;
        }
        height += 0.5 * (upper + lower) / columns;
        width += (upper - lower) / columns;
    }
    CHECK(std::abs(height) < 0.2 * size_m);
    CHECK(width < 3 * pixel_m);
}

TEST_CASE("Detail keeps the mass of snow", "[detail]")
{
    const SnowParticles snow = flatSnow();
    const DetailVolume made = detailOf(snow, cameraAbove(1, 512));
    double mass = 0;
    for (const float m : snow.mass_kg) mass += static_cast<double>(m);
    CHECK(made.volume.extinctionIntegral() == Approx(mass).epsilon(0.03));
}

TEST_CASE("Neighbouring bricks agree on their common face", "[detail]")
{
    std::vector<Vec3d> places;
    places.reserve(300);
    for (int i = 0; i < 300; ++i)
        places.push_back(Vec3d(std::fmod(i * 0.618, 1), std::fmod(i * 0.414, 1) * 0.6, std::fmod(i * 0.732, 1)) * 0.06);
    const SnowParticles frame = particlesAt(places);
    const std::vector<Grain> grains = grainsOf(frame, restingHistory(frame, std::vector<float>(places.size(), 1)));
    for (const double spacing : {0.0005, 0.004}) {  // wide and narrow grains
        const auto brickAt = [&](const Vec3d& corner) {
            const ValuePlaces at{corner, spacing, 0.0005};
            Bricks::Values values;
            REQUIRE(snowDensity(fieldsAt(grains, at), {}, at, values));
            return values;
        };
        const Vec3d corner(0.02, 0.02, 0.02);
        const Bricks::Values left = brickAt(corner), right = brickAt(corner + Vec3d(8 * spacing, 0, 0));
        constexpr std::size_t face = Bricks::values * Bricks::values;
        for (std::size_t i = 0; i < face; ++i) CHECK(left[8 * face + i] == Approx(right[i]).epsilon(1e-3).margin(0.05));
    }
}

TEST_CASE("A volume with detail has the same bits for any number of threads", "[detail]")
{
    const SnowParticles snow = flatSnow();
    const auto withThreads = [&](int threads) {
        std::optional<DetailVolume> made;
        runWithThreads(threads, [&] { made.emplace(detailOf(snow, cameraAbove(0.5, 256))); });
        return std::move(*made);
    };
    const DetailVolume one = withThreads(1), four = withThreads(4);
    const Bricks &a = one.volume.bricks(), &b = four.volume.bricks();
    CHECK(a.bricks == b.bricks);
    CHECK(a.origins == b.origins);
    CHECK(a.levels == b.levels);
}

TEST_CASE("Voxels are as wide as pixels where the camera sees snow, and wider where memory is short", "[detail]")
{
    const SnowParticles snow = flatSnow();
    const PlacedCamera camera = cameraAbove(1, 512);
    const DetailVolume made = detailOf(snow, camera);
    CHECK(made.voxel_pixels == 1);
    const double pixel_m = camera.pixelAt(1), finest_m = static_cast<double>(made.volume.voxelSize_m());
    const Bricks::Found top =
        made.volume.bricks().brickOf(int4(made.volume.toIndex(Vec3f(0.001f, 0, 0.001f)).cast<int>(), 0));
    REQUIRE(top.brick >= 0);
    CHECK(finest_m * (1 << top.level) < 1.5 * pixel_m);
    CHECK(finest_m * (1 << top.level) > 0.4 * pixel_m);

    const DetailVolume limited = detailOf(snow, camera, {1, made.bytes() / 3});
    CHECK(limited.voxel_pixels > 1.2);
    CHECK(limited.bytes() <= made.bytes() / 3);
}

TEST_CASE("A sparse index finds the numbers of its places", "[detail]")
{
    SparseIndex index(Vec3i(20, 3, 40));
    CHECK(index.at(Vec3i(19, 2, 39)) == -1);
    index.set(Vec3i(19, 2, 39), 7);
    index.set(Vec3i(0, 0, 0), 8);
    CHECK(index.at(Vec3i(19, 2, 39)) == 7);
    CHECK(index.at(Vec3i(0, 0, 0)) == 8);
    CHECK(index.at(Vec3i(18, 2, 39)) == -1);
    CHECK(index.at(Vec3i(20, 0, 0)) == -1);
    CHECK(index.at(Vec3i(-1, 0, 0)) == -1);
}
