// Seeding: how crust, seams and noise change stiffness, density and strength from place to place.

#include <catch2/catch.hpp>

#include "common/snow/noise.h"
#include "common/snow/seams.h"
#include "sim/simulation.h"
#include "tests/sim/seeded.h"

using namespace firn;
using namespace firn::seeding;

TEST_CASE("A crust is stiffer, denser and stronger down to its depth below the surface, and no deeper")
{
    SnowRegion region = snowBox(Vec3d::Zero(), Vec3d(0.1, 0.1, 0.1));
    region.crust.depth_m = 0.03;
    region.crust.stiffness = 5;
    region.crust.density = 1.5;
    CHECK(seeded(region).strength.empty());
    region.crust.strength = 4;
    const Particles p = seeded(region);
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double y = position(p, i, dx).y();
        if (std::abs(y - 0.07) < 1e-6) continue;
        REQUIRE(p.modulus_factor[i] == (y > 0.07 ? 5.f : 1.f));
        REQUIRE(p.strength[i] == (y > 0.07 ? 4.f : 1.f));
        REQUIRE(p.mass[i] == Approx((y > 0.07 ? 600 : 400) * dx * dx * dx / 8));
    }
}

TEST_CASE("Values of snow that have no effect are told")
{
    Scene scene = emptyScene(dx);
    scene.snow = {snowBox(Vec3d::Zero(), Vec3d(0.2, 0.2, 0.2))};
    const auto remark = [&] {
        const std::vector<std::string> remarks = Simulation(scene).remarks();
        REQUIRE(remarks.size() == 1);
        return remarks[0];
    };
    CHECK(Simulation(scene).remarks().empty());
    scene.snow[0].crust.strength = 4;
    CHECK_THAT(remark(), Catch::EndsWith("[snow.crust] has no effect, because its depth_m is 0"));
    scene.snow[0].crust.depth_m = 0.1;
    CHECK(Simulation(scene).remarks().empty());
    scene.snow[0].crust.depth_m = 3;
    CHECK_THAT(remark(), Catch::EndsWith("all of it is crust, because it is not thicker than the crust's depth_m"));
    scene.snow[0].crust = {};
    scene.snow[0].material.adhesion_pa = 100;
    CHECK(Simulation(scene).remarks().empty());
    scene.solver.contact = ContactMethod::Nodes;
    CHECK_THAT(remark(), Catch::EndsWith("adhesion_pa has no effect with solver.contact = \"nodes\""));
    scene.snow[0].material.adhesion_pa = 0;
    scene.snow[0].patches = {.share = 0.5, .size_m = 0.1};
    CHECK(Simulation(scene).remarks().empty());
    scene.snow[0].patches.size_m = dx / 2;
    CHECK_THAT(remark(), Catch::Contains("[snow.patches] are smaller than a cell"));
    scene.snow[0].patches = {.share = 0.999, .size_m = 0.21};
    CHECK_THAT(remark(), Catch::Contains("[snow.patches] are larger than the region"));
}

TEST_CASE("Strength varies by seams and noise, and is kept only where it does")
{
    SnowRegion region = snowBox(Vec3d::Zero(), Vec3d(0.4, 0.4, 0.4));
    CHECK(seeded(region).strength.empty());
    region.seams = {.size_m = 0.1, .width_m = 0.02, .strength = 0.1, .seed = 4};
    region.noise.strength = 0.3;
    const Particles p = seeded(region);
    REQUIRE(p.strength.size() == p.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3d x = position(p, i, dx);
        const double noise = std::exp(0.3 * gradientNoise(2, x / region.noise.scale_m));
        REQUIRE(static_cast<double>(p.strength[i]) == Approx(noise * seamStrength(region.seams, x)).epsilon(1e-4));
    }
    Scene scene = emptyScene(dx);
    scene.snow = {snowBox(Vec3d(1, 0, 0), Vec3d(1.1, 0.1, 0.1)), region};
    const Simulation simulation(scene);  // the first region has a factor of 1
    CHECK(simulation.particleCount() > p.size());
    scene.snow = {region};
    scene.snow[0].seams.width_m = 0.001;
    const std::vector<std::string> remarks = Simulation(scene).remarks();
    REQUIRE(remarks.size() == 1);
    CHECK_THAT(remarks[0], Catch::Contains("seams of size 0.1 m and width 0.001 m") &&
                               Catch::Contains("size 0.1 m and width 0.02 m are used"));
}

TEST_CASE("Noise spreads stiffness and density as exp(amount * noise), and differs by seed")
{
    SnowRegion region = snowBox(Vec3d::Zero(), Vec3d(0.4, 0.4, 0.4));
    region.noise.stiffness = 0.8;
    region.noise.density = 0.2;
    const Particles p = seeded(region);
    double mean = 0, square = 0, lowest = 1, highest = 1;
    for (std::size_t i = 0; i < p.size(); ++i) {
        // the stored factor is exp(0.8 n(x)) with the noise n in [-1, 1] at x / scale
        const double n = gradientNoise(region.noise.seed, position(p, i, dx) / region.noise.scale_m);
        REQUIRE(static_cast<double>(p.modulus_factor[i]) == Approx(std::exp(0.8 * n)).epsilon(1e-5));
        mean += n;
        square += n * n;
        lowest = std::min(lowest, n);
        highest = std::max(highest, n);
        REQUIRE(p.mass[i] <= 400 * dx * dx * dx / 8 * std::exp(0.2) * 1.00001);
        REQUIRE(p.mass[i] >= 400 * dx * dx * dx / 8 * std::exp(-0.2) * 0.99999);
    }
    const double count = static_cast<double>(p.size());
    // 8^3 independent blobs: the mean of n is within 4 spread / sqrt(512) of zero, and most of [-1, 1] is used
    const double spread = std::sqrt(square / count);
    CHECK(std::abs(mean / count) < 4 * spread / std::sqrt(512.0));
    CHECK(spread > 0.2);
    CHECK(spread < 0.6);
    CHECK(lowest < -0.5);
    CHECK(highest > 0.5);
    region.noise.seed = 1;
    CHECK(seeded(region).modulus_factor != p.modulus_factor);
}
