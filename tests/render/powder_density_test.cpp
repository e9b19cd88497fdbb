// Powder in the air: what the renderer reads of a frame, and its density.

#include "render/powder_density.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "common/io/threads.h"
#include "render/kernel_sums.h"
#include "render/powder_clouds.h"
#include "snow_samples.h"

using namespace firn;
using namespace firn::test;

namespace {

constexpr double voxel_m = 0.01;

std::vector<SnowOptics> opticsWith(double snow, double powder)
{
    SnowOptics optics;
    optics.extinction_m2_per_kg = snow;
    optics.powder_m2_per_kg = powder;
    return {optics};
}

PowderPuffs puffsOf(const std::vector<float>& radii)
{
    PowderPuffs powder;
    for (std::size_t i = 0; i < radii.size(); ++i) {
        const auto k = static_cast<double>(i);
        powder.position_m.emplace_back(0.13 * k, 0.5 - 0.07 * k, -0.2 + 0.011 * k);
        powder.radius_m.push_back(radii[i]);
        powder.mass_kg.push_back(1e-4f * static_cast<float>(1 + i));
        powder.material.push_back(0);
        powder.id.push_back(static_cast<std::uint32_t>(40 + i));
    }
    return powder;
}

float largestOf(const DensityGrid& grid)
{
    float most = 0;
    for (const DensityGrid::Leaf& leaf : grid.leaves) most = std::max(most, *std::ranges::max_element(leaf));
    return most;
}

}  // namespace

TEST_CASE("Halved voxels hold the values between those of the grid, and the same mass", "[powder]")
{
    const std::vector<Kernel> kernels = {{Vec3d(0.01, 0.02, -0.03), 0.04f}, {Vec3d(0.2, -0.1, 0), 0.03f}};
    const DensityGrid coarse = KernelSums(
                                   kernels.size(), [&](std::size_t k) { return kernels[k]; }, 0.02)
                                   .of(std::vector<float>{1, 2});
    const DensityGrid fine = halved(coarse);
    CHECK(fine.voxel_m == Approx(0.01));
    CHECK(massOf(fine) == Approx(3).epsilon(1e-5));
    for (int i = 0; i < 4000; ++i) {
        const Vec3i voxel(i % 40 - 15, i / 40 % 30 - 15, i % 17 - 8);
        CHECK(std::abs(fine.at(voxel) - coarse.interpolate(0.5 * voxel.cast<double>())) <= 2e-6f * largestOf(coarse));
    }
}

TEST_CASE("Powder keeps its mass, whatever the sizes of its puffs", "[powder]")
{
    const PowderPuffs powder = puffsOf({0.004f, 0.03f, 0.09f, 0.4f, 1.1f});
    const DensityGrid grid = powderDensity(powder, opticsWith(6, 33), voxel_m);
    CHECK(grid.voxel_m == Approx(voxel_m));
    CHECK(massOf(grid) == Approx(15e-4 * 33 / 6).epsilon(1e-4));
    CHECK(powderDensity(puffsOf({}), opticsWith(6, 33), voxel_m).keys.empty());
}

TEST_CASE("The clouds of a puff have its mass and its centre, and spread as far as an even ball on average", "[powder]")
{
    constexpr int puffCount = 4000;
    PowderPuffs powder = puffsOf(std::vector<float>(puffCount, 0.5f));
    const std::vector<PowderCloud> clouds = powderClouds(powder, opticsWith(2, 6));
    const std::size_t perPuff = clouds.size() / puffCount;
    REQUIRE(clouds.size() == perPuff * puffCount);
    double square = 0;  // mean square distance from the puff's centre
    for (std::size_t i = 0; i < puffCount; ++i) {
        double mass = 0;
        Vec3d center = Vec3d::Zero();
        for (std::size_t k = 0; k < perPuff; ++k) {
            const PowderCloud& cloud = clouds[i * perPuff + k];
            const double m = static_cast<double>(cloud.mass_kg), r = static_cast<double>(cloud.radius_m);
            mass += m;
            center += m * cloud.position_m;
            const double share = m / (3 * static_cast<double>(powder.mass_kg[i]));
            square += share * ((cloud.position_m - powder.position_m[i]).squaredNorm() + 0.6 * r * r) / puffCount;
        }
        CHECK(mass == Approx(3 * powder.mass_kg[i]).epsilon(1e-5));  // powder is three times as opaque
        CHECK((center / mass - powder.position_m[i]).norm() < 1e-5 * 0.5);
    }
    CHECK(square == Approx(0.6 * 0.5 * 0.5).epsilon(0.03));
}

TEST_CASE("The clouds of a puff move and grow with it", "[powder]")
{
    PowderPuffs powder = puffsOf({0.2f, 0.3f});
    const std::vector<PowderCloud> before = powderClouds(powder, opticsWith(1, 1));
    const Vec3d center = powder.position_m[1], way(0.3, -0.1, 0.2);
    // The other puff is gone, and this one has moved and is twice as large.
    PowderPuffs later;
    later.position_m = {center + way};
    later.radius_m = {0.6f};
    later.mass_kg = {powder.mass_kg[1]};
    later.material = {0};
    later.id = {powder.id[1]};
    const std::vector<PowderCloud> after = powderClouds(later, opticsWith(1, 1));
    for (std::size_t k = 0; k < after.size(); ++k) {
        const PowderCloud& cloud = before[before.size() - after.size() + k];
        CHECK((after[k].position_m - (center + way + 2 * (cloud.position_m - center))).norm() < 1e-6);
        CHECK(after[k].radius_m == Approx(2 * cloud.radius_m));
        CHECK(after[k].mass_kg == Approx(cloud.mass_kg));
    }
}

TEST_CASE("A large puff on a coarse grid has the density that it has on a fine one", "[powder]")
{
    const PowderPuffs powder = puffsOf({0.19f});
    const DensityGrid grid = powderDensity(powder, opticsWith(1, 1), voxel_m);
    const std::vector<PowderCloud> clouds = powderClouds(powder, opticsWith(1, 1));
    std::vector<float> masses(clouds.size());
    std::ranges::transform(clouds, masses.begin(), [](const PowderCloud& cloud) { return cloud.mass_kg; });
    const auto kernelOf = [&](std::size_t k) { return Kernel{clouds[k].position_m, 0.8f * clouds[k].radius_m}; };
    const DensityGrid exact = KernelSums(clouds.size(), kernelOf, voxel_m).of(masses);
    const float most = largestOf(exact);
    float largest = 0;
    for (int i = 0; i < 27000; ++i) {
        const Vec3i voxel(2 * (i % 30) - 30, 2 * (i / 30 % 30) + 20, 2 * (i / 900) - 50);
        largest = std::max(largest, std::abs(grid.at(voxel) - exact.at(voxel)));
    }
    CHECK(largest < 0.1f * most);
}

TEST_CASE("Powder has the same bits for any number of threads", "[powder]")
{
    const PowderPuffs powder = puffsOf({0.02f, 0.3f, 0.05f, 0.11f, 0.04f, 0.7f});
    const auto with = [&](int threads) {
        DensityGrid grid;
        runWithThreads(threads, [&] { grid = powderDensity(powder, opticsWith(6, 33), voxel_m); });
        return grid;
    };
    const DensityGrid one = with(1), two = with(2);
    CHECK(one.keys == two.keys);
    CHECK(one.leaves == two.leaves);
}

TEST_CASE("Puffs of powder in a frame are no particles", "[powder]")
{
    ParticleFrame frame;
    for (int i = 0; i < 6; ++i) {
        const bool isPuff = i % 3 == 1;
        frame.position_m.emplace_back(i, 0, 0);
        frame.velocity_m_s.emplace_back(Vec3f::Zero());
        frame.F_E.emplace_back(Mat3f::Identity());
        frame.J_P.push_back(1);
        frame.mass_kg.push_back(static_cast<float>(i));
        frame.volume0_m3.push_back(isPuff ? 4.f / 3 * pif * 0.008f : 1e-6f);
        frame.id.push_back(static_cast<std::uint32_t>(i));
        frame.material.push_back(static_cast<std::uint8_t>(i % 2));
        frame.state.push_back(isPuff ? ParticleFrame::powder : ParticleFrame::moving);
    }
    const SnowParticles snow = snowParticles(frame);
    CHECK(snow.id == std::vector<std::uint32_t>{0, 2, 3, 5});
    CHECK(snow.powder.mass_kg == std::vector<float>{1, 4});
    CHECK(snow.powder.radius_m[1] == Approx(0.2));
    CHECK(snow.powder.position_m[0] == Vec3d(1, 0, 0));
    CHECK(snow.powder.material == std::vector<std::uint8_t>{1, 0});
    CHECK(snow.powder.id == std::vector<std::uint32_t>{1, 4});
}
