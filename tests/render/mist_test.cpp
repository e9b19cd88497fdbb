// Mist between the crumbs of loose snow.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "common/io/threads.h"
#include "plane_surface.h"
#include "render/cube.h"
#include "render/detail_volume.h"
#include "render/grains.h"
#include "render/mist.h"
#include "render/mist_texture.h"
#include "snow_samples.h"

using namespace firn;
using namespace firn::test;

namespace {

constexpr std::size_t count = 60;

std::vector<SnowOptics> opticsWith(double mist) { return {{1, Vec3d::Ones(), 0, mist, 0}}; }

/// Lone particles, 20 cm apart, that fly with this velocity.
SnowParticles spray(const Vec3f& velocity_m_s)
{
    std::vector<Vec3d> places;
    for (std::size_t i = 0; i < count; ++i)
        places.emplace_back(0.2 * static_cast<double>(i % 5), 0.5, 0.2 * std::floor(static_cast<double>(i) / 5));
    SnowParticles particles = particlesAt(places);
    particles.velocity_m_s.assign(count, velocity_m_s);
    return particles;
}

SnowHistory lone(const SnowParticles& particles)
{
    return restingHistory(particles, std::vector<float>(particles.size(), 0.04f));
}

Mist mistOf(const SnowParticles& particles, double share, const Surfaces* surfaces = nullptr)
{
    return mistOf(particles, lone(particles), opticsWith(share), surfaces, size_m);
}

}  // namespace

TEST_CASE("Crumbs lose the mass that mist has", "[mist]")
{
    const SnowParticles particles = spray(Vec3f(6, 0, 0));
    const Mist mist = mistOf(particles, 0.8);
    const double all = std::accumulate(particles.mass_kg.begin(), particles.mass_kg.end(), 0.0);
    const double given = std::inner_product(
        particles.mass_kg.begin(), particles.mass_kg.end(), mist.share.begin(), 0.0, std::plus<>(),
        [](float mass, float share) { return static_cast<double>(mass) * static_cast<double>(share); });
    CHECK(given > 0.2 * all);
    CHECK(given < 0.8 * all);
    CHECK(massOf(mist.density) == Approx(given).epsilon(1e-5));
    const std::vector<Grain> whole = grainsOf(particles, lone(particles));
    const std::vector<Grain> reduced = grainsOf(particles, lone(particles), {{}, mist.share, nullptr});
    REQUIRE(whole.size() == reduced.size());
    for (std::size_t g = 0; g < whole.size(); ++g) {
        const double share = 1 - static_cast<double>(reduced[g].mass_kg / whole[g].mass_kg);
        CHECK(std::ranges::any_of(mist.share, [&](float of) { return std::abs(of - share) < 1e-4; }));
    }
}

TEST_CASE("Snow that is slow, in bulk or of a kind without mist gives none", "[mist]")
{
    const SnowParticles fast = spray(Vec3f(6, 0, 0));
    CHECK(mistOf(spray(Vec3f(0.3f, 0, 0)), 0.8).density.leaves.empty());
    CHECK(mistOf(fast, 0).share.empty());
    const SnowHistory bulk = restingHistory(fast, std::vector<float>(count, 0.9f));
    CHECK(mistOf(fast, bulk, opticsWith(0.8), nullptr, size_m).density.leaves.empty());
}

TEST_CASE("Mist lags behind the crumbs that it comes from", "[mist]")
{
    const SnowParticles particles = spray(Vec3f(0, 0, 8));
    const Mist mist = mistOf(particles, 0.8);
    double sum = 0, moment = 0;
    for (std::size_t l = 0; l < mist.density.keys.size(); ++l) {
        const Vec3i corner = leafOfKey(mist.density.keys[l]) * DensityGrid::leafEdge;
        for (int i = 0; i < DensityGrid::leafEdge * DensityGrid::leafEdge * DensityGrid::leafEdge; ++i) {
            const double here = mist.density.leaves[l][static_cast<std::size_t>(i)];
            sum += here;
            moment += here * size_m * (corner.z() + i % DensityGrid::leafEdge);
        }
    }
    double meanOfCrumbs = 0, weight = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = mist.share[i];
        meanOfCrumbs += share * particles.position_m[i].z();
        weight += share;
    }
    // 8 m/s times half of the lag of 0.03 s.
    CHECK(meanOfCrumbs / weight - moment / sum == Approx(0.12).margin(0.03));
}

TEST_CASE("Mist does not pass a body", "[mist]")
{
    const SnowParticles particles = spray(Vec3f(0, -8, 0));  // so that mist lags upwards
    const PlaneSurface lid(0.52f, Vec3f::Zero());
    const auto above = [&](const Mist& mist) {
        double highest = -1;
        for (std::size_t l = 0; l < mist.density.keys.size(); ++l)
            for (const float here : mist.density.leaves[l])
                if (here > 0)
                    highest =
                        std::max(highest, size_m * DensityGrid::leafEdge * (leafOfKey(mist.density.keys[l]).y() + 1));
        return highest;
    };
    CHECK(above(mistOf(particles, 0.8)) > 0.65);
    CHECK(above(mistOf(particles, 0.8, &lid)) < 0.65);
}

TEST_CASE("A volume with detail holds the mist, also where no crumb is", "[mist]")
{
    const SnowParticles particles = spray(Vec3f(0, 0, 8));
    DensitySettings settings;
    const bool isTextured = GENERATE(true, false);  // not with voxels that are too wide for it
    settings.voxel_m = isTextured ? size_m : 3 * size_m;
    Camera camera;
    camera.position = Vec3d(0.4, isTextured ? 3 : 60, 1);
    camera.look_at = Vec3d(0.4, 0, 1);
    const Mist mist = mistOf(particles, lone(particles), opticsWith(0.8), nullptr, settings.voxel_m);
    const auto massWith = [&](const Mist& with) {
        const DetailVolume made =
            detailVolume({particles, lone(particles), {}, with, nullptr}, settings, 1, {camera, 0, 200, 200}, {});
        double sum = 0;  // by the middles of cells
        const Bricks& bricks = made.volume.bricks();
        for (std::size_t b = 0; b < bricks.bricks.size(); ++b)
            for (int i = 0; i < 512; ++i) {
                const Vec3f cell = Vec3i(i / 64, i / 8 % 8, i % 8).cast<float>() + Vec3f::Constant(0.5f);
                const double edge = made.volume.voxelSize_m() * (1 << bricks.levels[b]);
                sum += static_cast<double>(Bricks::interpolate(bricks.bricks[b].data(), float4(cell, 0))) /
                       made.volume.voxelSize_m() * edge * edge * edge;
            }
        return sum;
    };
    const double mass = massWith(mist) - massWith({mist.share, {}});
    CHECK(mass == Approx(massOf(mist.density)).epsilon(isTextured ? 0.1 : 0.02));
    CHECK((std::abs(mass / massOf(mist.density) - 1) > 5e-3) == isTextured);
}

TEST_CASE("The texture of mist keeps its mass, is never negative, and fades out where values are too far apart",
          "[mist]")
{
    const double spacing = GENERATE(0.002, 0.004, 0.008, 0.015);
    double sum = 0, squares = 0;
    std::size_t values = 0;
    for (int b = 0; b < 4096; ++b) {
        Bricks::Values mist;
        mist.fill(2);
        addMistTexture(Vec3d(0.31, 0.23, 0.27).cwiseProduct(cubeCoordinates(b, 16).cast<double>()), spacing, mist);
        for (const float value : mist) {
            REQUIRE(value >= 0);
            sum += static_cast<double>(value);
            squares += std::pow(static_cast<double>(value), 2);
            ++values;
        }
    }
    const double mean = sum / static_cast<double>(values);
    const double deviation = std::sqrt(squares / static_cast<double>(values) - mean * mean) / mean;
    CHECK(mean == Approx(2).epsilon(0.03));
    CHECK(deviation > (spacing < 0.005 ? 1.0 : spacing < 0.01 ? 0.6 : 0.3));
    Bricks::Values coarse;
    coarse.fill(2);
    addMistTexture(Vec3d::Zero(), 0.06, coarse);
    CHECK(std::ranges::all_of(coarse, [](float value) { return value == 2; }));
}

TEST_CASE("Bricks of mist agree on their common face", "[mist]")
{
    constexpr double spacing = 0.004;
    Bricks::Values left, right;
    left.fill(1);
    right.fill(1);
    addMistTexture(Vec3d(0.5, 0.25, 0), spacing, left);
    addMistTexture(Vec3d(0.5, 0.25, Bricks::cells * spacing), spacing, right);
    constexpr std::size_t n = Bricks::values;
    for (std::size_t row = 0; row < n * n; ++row) CHECK(left[row * n + n - 1] == Approx(right[row * n]).margin(1e-3));
}

TEST_CASE("Mist has the same bits for any number of threads", "[mist]")
{
    const SnowParticles particles = spray(Vec3f(3, 2, 5));
    const auto with = [&](int threads) {
        Mist mist;
        runWithThreads(threads, [&] { mist = mistOf(particles, 0.8); });
        return mist;
    };
    const Mist one = with(1), four = with(4);
    CHECK(one.share == four.share);
    CHECK(one.density.keys == four.density.keys);
    CHECK(one.density.leaves == four.density.leaves);
}
