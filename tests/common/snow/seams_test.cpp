#include "common/snow/seams.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace firn;

namespace {

struct RandomPoint {
    std::mt19937 random{5};
    std::uniform_real_distribution<double> along{-20, 20};

    Vec3d operator()()
    {
        const double x = along(random), y = along(random), z = along(random);
        return {x, y, z};
    }
};

}  // namespace

TEST_CASE("Borders of cells fill as much space as those of cells of their size", "[snow]")
{
    // Points within d of the borders fill 2 d A of a unit of volume, less where borders meet. A is the area of borders
    // in it: 2.66 for truncated octahedra, which have the least area of known equal cells that are alike, and 2.91 for
    // cells of centres that know nothing of each other (Okabe et al. 2000, Spatial Tessellations, table 5.5.2).
    RandomPoint next;
    const double d = 0.01;
    const int count = 100000;
    int near = 0;
    for (int i = 0; i < count; ++i) near += borderDistance(3, next()) < d;
    const double area = near / (2 * d * count);
    CHECK(area > 2.66);  // the standard error is 0.04
    CHECK(area < 2.99);
}

TEST_CASE("The distance to a border is a distance: it changes by no more than the point moves", "[snow]")
{
    RandomPoint next;
    for (int i = 0; i < 20000; ++i) {
        const Vec3d x = next(), step = 0.002 * next().normalized();
        const double here = borderDistance(3, x), there = borderDistance(3, x + step);
        REQUIRE(here >= 0);
        REQUIRE(std::abs(here - there) <= step.norm() * (1 + 1e-9));
    }
}

TEST_CASE("Seams have their width and their strength, and differ by seed", "[snow]")
{
    SnowSeams seams{.size_m = 0.05, .width_m = 0.01, .strength = 0.2};
    RandomPoint next;
    const int count = 50000;
    int weak = 0, same = 0;
    SnowSeams others = seams;
    others.seed = 1;
    for (int i = 0; i < count; ++i) {
        const Vec3d x = next();
        const double factor = seamStrength(seams, x);
        REQUIRE((factor == 0.2 || factor == 1));
        weak += factor < 1;
        same += factor == seamStrength(others, x);
    }
    // Seams of 0.2 of a cell's size fill 1 - exp(-0.2 A) and more of the space, with A as above; warping adds some.
    const double share = weak / static_cast<double>(count);
    CHECK(share > 0.4);
    CHECK(share < 0.6);
    // Two patterns that know nothing of each other agree by chance.
    const double chance = share * share + (1 - share) * (1 - share);
    CHECK(same / static_cast<double>(count) == Approx(chance).margin(0.02));
    CHECK(seamStrength(SnowSeams(), next()) == 1);
}

TEST_CASE("Seams that a grid cannot carry are widened to what it can", "[snow]")
{
    const SnowSeams seams{.size_m = 0.05, .width_m = 0.01};
    const SnowSeams fine = carriedBy(0.005, seams), coarse = carriedBy(0.02, seams);
    CHECK(fine.size_m == 0.05);
    CHECK(fine.width_m == 0.01);
    CHECK(coarse.size_m == 0.08);
    CHECK(coarse.width_m == 0.02);
    CHECK(carriedBy(0.02, SnowSeams()).size_m == 0);
}
