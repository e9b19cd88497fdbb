#include <catch2/catch.hpp>

#include <cmath>

#include "common/error.h"
#include "common/io/threads.h"
#include "render/density.h"
#include "snow_samples.h"

using namespace firn;
using firn::test::massOf;

namespace {

void addParticle(SnowParticles& frame, const Vec3d& position, float mass, float volume)
{
    frame.position_m.push_back(position);
    frame.stretch.push_back(1);
    frame.velocity_m_s.push_back(Vec3f::Zero());
    frame.mass_kg.push_back(mass);
    frame.volume0_m3.push_back(volume);
    frame.id.push_back(static_cast<std::uint32_t>(frame.id.size()));
}

double hashed(unsigned i)
{
    i = (i ^ (i >> 16)) * 0x45d9f3bu;
    i = (i ^ (i >> 16)) * 0x45d9f3bu;
    return static_cast<double>((i ^ (i >> 16)) & 0xffffff) / 0x1000000;
}

/// A block of snow of 400 kg/m^3, one particle per cube of `spacing`, jittered inside its cube.
SnowParticles block(int edge, double spacing, double jitter, const Vec3d& corner)
{
    SnowParticles frame;
    const double volume = spacing * spacing * spacing;
    unsigned counter = 0;
    for (int i = 0; i < edge; ++i) {
        for (int j = 0; j < edge; ++j) {
            for (int k = 0; k < edge; ++k) {
                const double x = hashed(counter), y = hashed(counter + 1), z = hashed(counter + 2);
                counter += 3;
                const Vec3d inCube = Vec3d::Constant(0.5) + jitter * (Vec3d(x, y, z) - Vec3d::Constant(0.5));
                addParticle(frame, corner + spacing * (Vec3d(i, j, k) + inCube), static_cast<float>(400 * volume),
                            static_cast<float>(volume));
            }
        }
    }
    return frame;
}

double bSpline(double x)
{
    x = std::abs(x);
    if (x < 1) return 0.5 * x * x * x - x * x + 2.0 / 3;
    if (x < 2) return -x * x * x / 6 + x * x - 2 * x + 4.0 / 3;
    return 0;
}

}  // namespace

TEST_CASE("Rasterising conserves mass, wherever the particles lie and whatever their stretch")
{
    SnowParticles frame = block(12, 0.01, 1, Vec3d(-0.06, 99.97, -0.031));
    for (std::size_t i = 0; i < frame.size(); ++i)
        frame.stretch[i] = static_cast<float>(0.3 + 6 * hashed(static_cast<unsigned>(i)));
    double mass = 0;
    for (const float m : frame.mass_kg) mass += static_cast<double>(m);
    for (const double voxel : {0.004, 0.01, 0.03}) {
        DensitySettings settings;
        settings.voxel_m = voxel;
        CHECK(massOf(rasterizeDensity(frame, settings)) == Approx(mass).epsilon(1e-5));
    }
}

TEST_CASE("A single particle's footprint is the cubic B-spline")
{
    // h = 2 (1e-6 m^3)^(1/3) = 2 cm is two voxels of 1 cm, for which the sum of N(i / 2 + c) over integers is exactly
    // 2: density at a voxel is m / h^3 times the product of N.
    SnowParticles frame;
    const Vec3d position(0.0231, -0.0077, 0.0412);
    addParticle(frame, position, 4e-4f, 1e-6f);
    DensitySettings settings;
    settings.voxel_m = 0.01;
    settings.isolated_scale = settings.bulk_scale;
    const DensityGrid grid = rasterizeDensity(frame, settings);
    std::size_t positive = 0;
    for (int i = -4; i < 9; ++i) {
        for (int j = -6; j < 5; ++j) {
            const Vec3i voxel(i, j, 4);
            const Vec3d x = (Vec3d(i, j, 4) * 0.01 - position) / 0.02;
            const double expected = 4e-4 / 8e-6 * bSpline(x.x()) * bSpline(x.y()) * bSpline(x.z());
            CHECK(static_cast<double>(grid.at(voxel)) == Approx(expected).epsilon(1e-4).margin(1e-4));
            positive += grid.at(voxel) > 0;
        }
    }
    // The kernel ends at 4 voxels from the particle: 8 voxels along each axis hold mass.
    CHECK(positive == 8 * 8);
    CHECK(grid.voxelCount() == 8 * 8 * 8);
}

TEST_CASE("A bed of snow has its density inside, and ripples by less than 5 %")
{
    // Particles jittered over their whole cube are less even than seeded ones; their noise under a kernel of h = 2 s is
    // sqrt(s^2 / 12 * int |grad N|^2 s^3 / h^5) = 3.5 % rms.
    const SnowParticles frame = block(32, 0.01, 1, Vec3d::Zero());
    DensitySettings settings;
    settings.voxel_m = 0.01;
    const DensityGrid grid = rasterizeDensity(frame, settings);
    double sum = 0, squares = 0;
    int count = 0;
    for (int i = 6; i < 26; ++i) {
        for (int j = 6; j < 26; ++j) {
            for (int k = 6; k < 26; ++k, ++count) {
                const double density = static_cast<double>(grid.at({i, j, k}));
                sum += density;
                squares += density * density;
            }
        }
    }
    const double mean = sum / count;
    CHECK(mean == Approx(400).epsilon(0.005));
    CHECK(std::sqrt(squares / count - mean * mean) < 0.05 * 400);
}

TEST_CASE("A regular bed is flat to rounding, also where voxels are finer than particles")
{
    // N at spacing h/2 is a partition of unity, so a lattice of particles one h/2 apart gives a constant.
    DensitySettings settings;
    settings.voxel_m = 0.005;
    const DensityGrid grid = rasterizeDensity(block(20, 0.01, 0, Vec3d::Zero()), settings);
    for (int i = 14; i < 26; ++i) {
        CHECK(grid.at({i, 20, 20}) == Approx(400).epsilon(1e-3));
    }
}

TEST_CASE("Stretched snow stays closed")
{
    // A lattice stretched to J = 4, 1.587 s apart: kernels of h = 2 s J^(1/3) are two spacings wide, a partition of
    // unity, so density is 400 / 4. With h = 2 s it would ripple.
    SnowParticles frame = block(16, 0.01 * std::cbrt(4.0), 0, Vec3d::Zero());
    for (std::size_t i = 0; i < frame.size(); ++i) {
        frame.volume0_m3[i] = 1e-6f;
        frame.mass_kg[i] = 4e-4f;
        frame.stretch[i] = 4;
    }
    DensitySettings settings;
    settings.voxel_m = 0.005;
    const DensityGrid grid = rasterizeDensity(frame, settings);
    for (int i = 20; i < 30; ++i) {
        CHECK(grid.at({i, 24, 25}) == Approx(100).epsilon(1e-3));
    }
}

TEST_CASE("A crumb stays small: alone, a particle's kernel is 0.8 of its size wide")
{
    // s = 1 cm, so the kernel ends at 2 * 0.8 s = 16 mm, 8 voxels from the particle; in bulk it would end at 40 mm.
    SnowParticles frame;
    addParticle(frame, Vec3d(0.05, 0.05, 0.05), 4e-4f, 1e-6f);
    DensitySettings settings;
    settings.voxel_m = 0.002;
    const DensityGrid grid = rasterizeDensity(frame, settings);
    CHECK(grid.at({25 + 7, 25, 25}) > 0);
    CHECK(grid.at({25 + 8, 25, 25}) < 1e-4f);
}

TEST_CASE("The density grid has the same bits for any number of threads")
{
    const SnowParticles frame = block(24, 0.01, 1, Vec3d(-0.1, -0.1, -0.1));
    const auto bits = [&](int threads) {
        std::vector<float> values;
        runWithThreads(threads, [&] {
            const DensityGrid grid = rasterizeDensity(frame, {});
            for (const DensityGrid::Leaf& leaf : grid.leaves) values.insert(values.end(), leaf.begin(), leaf.end());
        });
        return values;
    };
    const std::vector<float> one = bits(1);
    CHECK(one.size() > 24 * 24 * 24);
    CHECK(bits(2) == one);
    CHECK(bits(7) == one);
}

TEST_CASE("Snow that is not at a finite place and tiny voxels are refused")
{
    SnowParticles frame;
    addParticle(frame, Vec3d::Constant(std::nan("")), 1, 1e-6f);
    CHECK_THROWS_WITH(rasterizeDensity(frame, {}), Catch::Contains("snow at (nan, "));
    frame.position_m[0].setZero();
    DensitySettings settings;
    settings.voxel_m = 1e-5;
    CHECK_THROWS_WITH(rasterizeDensity(frame, settings), Catch::Contains("voxel_m"));
}

TEST_CASE("No particles give an empty grid") { CHECK(rasterizeDensity(SnowParticles{}, {}).leaves.empty()); }

TEST_CASE("Snow of two densities that lie beside one another has no surface between them", "[density]")
{
    // The upper half is three times as heavy. Deep inside, snow fills all of space.
    SnowParticles snow = block(16, 0.01, 0, Vec3d::Zero());
    for (std::size_t i = 0; i < snow.size(); ++i)
        if (snow.position_m[i].y() > 0.08) snow.mass_kg[i] *= 3;
    const std::vector<float> surroundings = surroundingsOf(snow, {});
    for (std::size_t i = 0; i < snow.size(); ++i) {
        const Vec3d& x = snow.position_m[i];
        if (x.minCoeff() > 0.05 && x.maxCoeff() < 0.11) CHECK(surroundings[i] == Approx(1).epsilon(1e-3));
    }
}
