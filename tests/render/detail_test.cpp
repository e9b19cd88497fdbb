// Volumes with detail: bricks of several levels, grains, the surface of snow.

#include <tbb/task_arena.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "render/cube.h"
#include "render/detail_plan.h"
#include "render/detail_volume.h"
#include "render/grain_lattice.h"
#include "render/grains.h"
#include "render/lane_noise.h"
#include "render/rest_places.h"
#include "render/snow_pieces.h"
#include "render/snow_surface.h"
#include "render/sparse_index.h"
#include "render/wide_tracking.h"

using namespace firn;

namespace {

constexpr double size_m = 0.01;  // of a particle
constexpr float density = 300;   // kg/m^3

SnowParticles particlesAt(const std::vector<Vec3d>& places)
{
    SnowParticles frame;
    frame.dx_m = 2 * size_m;
    const std::size_t n = places.size();
    frame.position_m = places;
    frame.stretch.assign(n, 1);
    frame.volume0_m3.assign(n, static_cast<float>(std::pow(size_m, 3)));
    frame.mass_kg.assign(n, density * static_cast<float>(std::pow(size_m, 3)));
    for (std::size_t i = 0; i < n; ++i) frame.id.push_back(static_cast<std::uint32_t>(i));
    frame.material.assign(n, 0);
    return frame;
}

/// Snow below y = 0, 60 x 20 x 60 cm.
SnowParticles flatSnow()
{
    std::vector<Vec3d> places;
    for (int x = -30; x < 30; ++x)
        for (int y = -20; y < 0; ++y)
            for (int z = -30; z < 30; ++z) places.push_back((Vec3d(x, y, z) + Vec3d::Constant(0.5)) * size_m);
    return particlesAt(places);
}

PinholeCamera cameraAbove(double height_m, int width)
{
    Camera camera;
    camera.position = Vec3d(0, height_m, 0.01);
    camera.look_at = Vec3d(0, 0, 0);
    return {camera, 0, width, width};
}

/// Of particles at rest.
SnowHistory restingHistory(const SnowParticles& frame, const std::vector<float>& surroundings)
{
    return {surroundings, RestPlaces().of(frame, surroundings), std::vector<float>(frame.size()), nullptr};
}

DetailVolume detailOf(const SnowParticles& frame, const PinholeCamera& camera, const DetailSettings& detail = {})
{
    DensitySettings settings;
    settings.voxel_m = size_m;
    return detailVolume(frame, historyOf(frame, RestPlaces(), settings), settings, 1, camera, detail);
}

GrainFields fieldsAt(const std::vector<Grain>& grains, const ValuePlaces& places)
{
    GrainFields fields;
    for (auto& rows : fields.rows) rows.fill(0);
    addGrains(grains, places, fields);
    return fields;
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

TEST_CASE("Lone particles break into fragments with their mass, one in bulk stays whole", "[detail]")
{
    std::vector<Vec3d> places;
    places.reserve(40);
    for (int i = 0; i < 40; ++i) places.emplace_back(i, 0, 0);
    const SnowParticles particles = particlesAt(places);
    std::vector<float> surroundings(places.size(), 0.04f);
    surroundings.back() = 0.9f;
    const std::vector<Grain> grains = grainsOf(particles, restingHistory(particles, surroundings));
    CHECK_FALSE(grains.back().is_fragment);
    CHECK(grains.back().mass_kg == particles.mass_kg.back());
    std::vector<double> mass(places.size()), volume(places.size());
    std::vector<int> count(places.size());
    for (const Grain& grain : grains) {
        const auto of = static_cast<std::size_t>(std::lround(grain.position.x()));
        CHECK((grain.position - places[of]).norm() < 5 * size_m);
        mass[of] += static_cast<double>(grain.mass_kg);
        volume[of] += static_cast<double>(grain.volume_m3);
        ++count[of];
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        CHECK(mass[i] == Approx(particles.mass_kg[i]).epsilon(1e-5));
        CHECK(volume[i] == Approx(particles.volume0_m3[i]).epsilon(1e-5));
    }
    CHECK(count.back() == 1);
    const auto [fewest, most] = std::minmax_element(count.begin(), count.end() - 1);
    CHECK(*fewest == 6);  // two fragments of three lumps
    CHECK(*most == 48);
}

TEST_CASE("Corners of snow do not break while it lies as it fell", "[detail]")
{
    const SnowParticles particles = particlesAt({Vec3d(0, 0, 0), Vec3d(1, 0, 0), Vec3d(2, 0, 0)});
    SnowHistory history = restingHistory(particles, {0.2f, 0.2f, 0.2f});
    history.rest.surroundings = {0.2f, 0.9f, 0.35f};  // a corner as it was; broken off from inside; off an edge
    std::vector<int> count(3);
    for (const Grain& grain : grainsOf(particles, history))
        ++count[static_cast<std::size_t>(std::lround(grain.position.x()))];
    CHECK(count[0] == 1);
    CHECK(count[1] > 1);
    CHECK(count[2] > 1);
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

TEST_CASE("Sums interpolated from the lattice are those of the grains", "[detail]")
{
    // A slab, so that there are borders, with noise in what the grains carry.
    std::vector<Grain> grains;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> jitter(-0.5, 0.5);
    const auto any = [&] { return static_cast<float>(jitter(random)); };
    for (int i = 0; i < 24 * 12 * 24; ++i) {
        const Vec3i at(i / 288 - 12, i / 24 % 12 - 6, i % 24 - 12);
        const Vec3d place = size_m * (at.cast<double>() + Vec3d(jitter(random), jitter(random), jitter(random)));
        grains.push_back({.position = place, .shift = {any(), any(), any()}, .volume_m3 = 1e-6f, .mass_kg = 3e-4f});
        grains.back().roughness = any();
        grains.back().sheared = any();
    }
    for (const auto& [width, tolerance] : {std::pair(GrainLattice::leastWidth, 0.02f), std::pair(2.8f, 0.0025f)}) {
        for (Grain& grain : grains) grain.width_m = width * static_cast<float>(size_m);
        GrainAmounts largest{};  // of any grain, in snow that fills space
        for (const Grain& grain : grains)
            for (std::size_t f = 0; f < largest.size(); ++f)
                largest[f] = std::max(largest[f], std::abs(amountsOf(grain)[f]) / grain.volume_m3);
        const GrainLattice lattice(grains, size_m);
        auto block = std::make_unique<GrainLattice::Block>();
        REQUIRE(lattice.copy(Vec3i(0, 0, -1), *block));
        const Vec3f first(3.25f, 2.5f, 0.125f);  // voxels from the brick's corner
        for (const float step : {0.125f, 0.5f}) {
            GrainFields found;
            interpolate(*block, first, step, found);
            const Vec3d corner = size_m * (Vec3d(0, 0, -8) + first.cast<double>());
            const GrainFields expected = fieldsAt(grains, {corner, static_cast<double>(step) * size_m, 0});
            for (std::size_t f = 0; f < GrainFields::count; ++f) {
                float error = 0;
                for (std::size_t i = 0; i < expected.rows[f].size(); ++i)
                    if (i % GrainFields::rowSize < Bricks::values)
                        error = std::max(error, std::abs(found.rows[f][i] - expected.rows[f][i]));
                CHECK(error < tolerance * largest[f]);
            }
        }
    }
}

TEST_CASE("Pieces of snow are few enough, move with their particle, and hold what is nearest to it", "[detail]")
{
    std::vector<Vec3d> places;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> within(-0.08, 0.08);
    places.reserve(4096);
    for (int i = 0; i < 4096; ++i) places.emplace_back(within(random), within(random), within(random));
    const SnowParticles frame = particlesAt(places);
    const RestState atRest = RestPlaces().of(frame, std::vector<float>(places.size(), 1));
    const std::vector<SnowPiece> pieces = piecesOf(frame, atRest);
    CHECK(static_cast<double>(pieces.size()) ==
          Approx(4096 * std::pow(size_m / static_cast<double>(SnowPiece::size_m), 3)).epsilon(0.15));

    SnowParticles moved = frame;
    for (Vec3d& place : moved.position_m) place += Vec3d(0.5, 0, 0);
    const std::vector<SnowPiece> later = piecesOf(moved, atRest);
    REQUIRE(later.size() == pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Vec3f before = pieces[i].position.cast<float>() + pieces[i].toNoise_m;
        REQUIRE((later[i].position.cast<float>() + later[i].toNoise_m - before).norm() < 1e-5f);
    }

    std::vector<SnowPiece> near = pieces;
    keepNearest(Vec3d::Zero(), 0.015, near);
    CHECK(near.size() < pieces.size() / 4);
    const Floats x = 0.001f * toFloats(laneNumbers()) - 0.007f, y = floats(0.004f), z = floats(-0.006f);
    const NearestPieces found = nearestPieces(near, x, y, z);
    for (int lane = 0; lane < laneCount; ++lane) {
        const Vec3f place(x[lane], y[lane], z[lane]);
        const auto distance = [&](const SnowPiece& piece) { return (piece.position.cast<float>() - place).norm(); };
        std::vector<SnowPiece> sorted = pieces;
        std::partial_sort(sorted.begin(), sorted.begin() + 2, sorted.end(),
                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
        CHECK(found.height[lane] == sorted[0].height);
        CHECK(found.x[lane] == Approx(place.x() + sorted[0].toNoise_m.x()));
        CHECK(found.border_m[lane] == Approx((distance(sorted[1]) - distance(sorted[0])) / 2).margin(1e-6));
    }
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
    const auto make = [&] { return detailOf(snow, cameraAbove(0.5, 256)); };
    const auto withThreads = [&](int threads) { return tbb::task_arena(threads).execute(make); };
    const DetailVolume one = withThreads(1), four = withThreads(4);
    const Bricks &a = one.volume.bricks(), &b = four.volume.bricks();
    CHECK(a.bricks == b.bricks);
    CHECK(a.origins == b.origins);
    CHECK(a.levels == b.levels);
}

TEST_CASE("Voxels are as wide as pixels where the camera sees snow, and wider where memory is short", "[detail]")
{
    const SnowParticles snow = flatSnow();
    const PinholeCamera camera = cameraAbove(1, 512);
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

TEST_CASE("Particles that the first frame does not have are at rest as they are", "[detail]")
{
    SnowParticles first = particlesAt({Vec3d(1, 2, 3), Vec3d(4, 5, 6)});
    first.id = {9, 4};
    SnowParticles later = particlesAt({Vec3d(0, 0, 0), Vec3d(7, 7, 7), Vec3d(8, 8, 8)});
    later.id = {4, 9, 5};
    DensitySettings settings;
    settings.voxel_m = size_m;
    const RestState rest = RestPlaces(first, settings).of(later, {0.5f, 0.5f, 0.5f});
    CHECK(rest.place_m[0] == Vec3f(4, 5, 6));
    CHECK(rest.place_m[1] == Vec3f(1, 2, 3));
    CHECK(rest.place_m[2] == Vec3f(8, 8, 8));
    CHECK(rest.surroundings[0] < 0.1f);  // each lay alone
    CHECK(rest.surroundings[2] == 0.5f);
}

TEST_CASE("Rotated snow is not strained, sheared snow is", "[detail]")
{
    const SnowParticles atRest = flatSnow();
    DensitySettings settings;
    settings.voxel_m = size_m;
    std::vector<Vec3f> places;
    places.reserve(atRest.size());
    for (const Vec3d& x : atRest.position_m) places.push_back(x.cast<float>());
    const auto strainInside = [&](const Mat3d& map) {
        SnowParticles moved = atRest;
        for (Vec3d& x : moved.position_m) x = map * x + Vec3d(0.3, 0, 0.1);
        const std::vector<float> strains = strainsOf(moved, places, shiftField(moved, places, 2 * settings.voxel_m));
        double sum = 0;
        int count = 0;
        for (std::size_t i = 0; i < strains.size(); ++i) {
            const Vec3d& x = atRest.position_m[i];
            if (x.y() > -0.05 || x.y() < -0.15 || std::max(std::abs(x.x()), std::abs(x.z())) > 0.2) continue;
            sum += static_cast<double>(strains[i]);
            ++count;
        }
        return sum / count;
    };
    const Mat3d turn = Eigen::AngleAxisd(0.7, Vec3d(1, 2, 3).normalized()).toRotationMatrix();
    CHECK(strainInside(turn) < 0.05);
    Mat3d shear = Mat3d::Identity();
    shear(0, 1) = 1;  // to rest: x - y, so J^T J - I = [[0, -1], [-1, 1]] and half its norm is sqrt(3) / 2
    CHECK(strainInside(shear) == Approx(std::sqrt(3.0) / 2).epsilon(0.05));
}

TEST_CASE("Gradient noise has mean 0, stays in range and is smooth", "[detail]")
{
    double sum = 0, squares = 0, steepest = 0;
    constexpr int count = 4000;
    for (int i = 0; i < count; ++i) {
        const Floats x = floats(-20) + 0.0117f * static_cast<float>(i) + 0.37f * toFloats(laneNumbers());
        const Floats y = 0.91f * x + 3.f, z = 1.7f * x - 11.f;
        const Floats here = gradientNoise(x, y, z, 7), near = gradientNoise(x + 1e-3f, y, z, 7);
        for (int lane = 0; lane < laneCount; ++lane) {
            sum += static_cast<double>(here[lane]);
            squares += std::pow(static_cast<double>(here[lane]), 2);
            steepest = std::max(steepest, std::abs(static_cast<double>(near[lane] - here[lane])) / 1e-3);
            REQUIRE(std::abs(here[lane]) <= 1.05f);
        }
    }
    CHECK(std::abs(sum / (count * laneCount)) < 0.02);
    CHECK(std::sqrt(squares / (count * laneCount)) == Approx(0.27).margin(0.05));
    CHECK(steepest < 4);
}

TEST_CASE("Noise of pieces has mean 0, and is flat within a piece", "[detail]")
{
    constexpr int count = 4000;
    constexpr float step = 0.005f;
    double sum = 0, squares = 0;
    int bent = 0, steps = 0;
    for (int i = 0; i < count; ++i) {
        const Floats x = floats(-20) + 0.0117f * static_cast<float>(i) + 0.37f * toFloats(laneNumbers());
        const Floats y = 0.91f * x + 3.f, z = 1.7f * x - 11.f;
        const Floats here = pieceNoise(x, y, z, 7);
        const Floats before = pieceNoise(x - step, y, z, 7), after = pieceNoise(x + step, y, z, 7);
        for (int lane = 0; lane < laneCount; ++lane) {
            sum += static_cast<double>(here[lane]);
            squares += std::pow(static_cast<double>(here[lane]), 2);
            REQUIRE(std::abs(here[lane]) <= 1);
            if (std::abs(before[lane] + after[lane] - 2 * here[lane]) > 1e-4f) ++bent;
            if (std::abs(before[lane] - after[lane]) > 0.05f) ++steps;
        }
    }
    CHECK(std::abs(sum / (count * laneCount)) < 0.02);
    CHECK(std::sqrt(squares / (count * laneCount)) == Approx(0.27).margin(0.05));
    CHECK(bent < count * laneCount / 40);  // only where pieces meet
    CHECK(steps > 0);
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
