#include "render/volume.h"

#include <openvdb/tools/Interpolation.h>

#include <catch2/catch.hpp>

#include "common/error.h"
#include "noise_volume.h"
#include "render/volume_grid.h"

using namespace firn;
using namespace firn::test;

TEST_CASE("Extinction equals the grid's trilinear density times extinction per density", "[volume]")
{
    const double voxel = 0.05, extinctionPerDensity = 724. / 400;
    const auto grid = clumpedBall(voxel);
    openvdb::tools::GridSampler<openvdb::FloatGrid, openvdb::tools::BoxSampler> expected(*grid);
    for (int blockShift = 0; blockShift <= 3; ++blockShift) {
        const Volume volume = volumeFromGrid(*grid, extinctionPerDensity, blockShift);
        Sampler sampler(1, 0, 0);
        for (int i = 0; i < 2000; ++i) {
            const Vec3f p =
                Vec3f(sampler.uniform(), sampler.uniform(), sampler.uniform()) * 2 + Vec3f(-.8F, -1.2f, -.9F);
            const double density = expected.wsSample(openvdb::Vec3d(p.x(), p.y(), p.z()));
            REQUIRE(volume.extinction(p) == Approx(density * extinctionPerDensity).margin(0.05));  // of up to 1448
        }
    }
}

TEST_CASE("Majorants bound the field in their blocks and are attained", "[volume]")
{
    const Volume volume = volumeFromGrid(*clumpedBall(0.05), 1);
    const Bricks& bricks = volume.bricks();
    Sampler sampler(2, 0, 0);
    float closest = 0;
    for (int i = 0; i < 20000; ++i) {
        Vec3f p;
        for (int axis = 0; axis < 3; ++axis) {
            const auto low = static_cast<float>(bricks.cellMin[axis]), high = static_cast<float>(bricks.cellMax[axis]);
            p[axis] = low + sampler.uniform() * (high - low);
        }
        const Bricks::Block block = bricks.block(int4(p.cast<int>(), 0));
        const float value = bricks.at(p);
        REQUIRE(value <= block.majorant);
        if (block.majorant > 0) closest = std::max(closest, value / block.majorant);
    }
    CHECK(closest > 0.9);
}

TEST_CASE("The integral of extinction is the sum of the voxels", "[volume]")
{
    // Each voxel's trilinear hat integrates to one voxel volume.
    const double voxel = 0.05;
    const auto grid = clumpedBall(voxel);
    double sum = 0;
    for (auto value = grid->cbeginValueOn(); value; ++value) sum += *value;
    CHECK(volumeFromGrid(*grid, 2).extinctionIntegral() == Approx(sum * 2 * voxel * voxel * voxel).epsilon(1e-5));
    CHECK(Volume::homogeneous(Vec3f(0, 0, 0), Vec3f(1, 2, 3), 5).extinctionIntegral() == Approx(30));
}

TEST_CASE("The gradient of a linear ramp is its slope", "[volume]")
{
    auto grid = openvdb::FloatGrid::create(0);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(0.1));
    grid->denseFill(openvdb::CoordBBox(openvdb::Coord(0), openvdb::Coord(20)), 0.f);
    for (auto voxel = grid->beginValueOn(); voxel; ++voxel) {
        voxel.setValue(static_cast<float>(voxel.getCoord().x() + 2 * voxel.getCoord().y()));  // per index
    }
    const Vec3f gradient = volumeFromGrid(*grid, 3).gradient(Vec3f(1.03f, .97F, 1.01f));  // 3 * (1, 2, 0) per 0.1 m
    CHECK(gradient.isApprox(Vec3f(30, 60, 0), 1e-3f));
}

TEST_CASE("Grids that cannot be tracked through are refused with the place", "[volume]")
{
    auto grid = openvdb::FloatGrid::create(0);
    grid->tree().setValue(openvdb::Coord(1, 2, 3), -1);
    CHECK_THROWS_WITH(volumeFromGrid(*grid, 1), Catch::Contains("(1, 2, 3)") && Catch::Contains("-1"));
    grid->tree().setValue(openvdb::Coord(1, 2, 3), std::numeric_limits<float>::quiet_NaN());
    CHECK_THROWS_WITH(volumeFromGrid(*grid, 1), Catch::Contains("(1, 2, 3)"));
    grid->tree().setValue(openvdb::Coord(1, 2, 3), 1);
    openvdb::Mat4R stretched = openvdb::Mat4R::identity();
    stretched.preScale(openvdb::Vec3d(1, 2, 1));
    grid->setTransform(openvdb::math::Transform::createLinearTransform(stretched));
    CHECK_THROWS_AS(volumeFromGrid(*grid, 1), Error);
}

TEST_CASE("A grid without snow makes an empty volume", "[volume]")
{
    const Volume volume = volumeFromGrid(*openvdb::FloatGrid::create(0), 1);
    CHECK(volume.extinction(Vec3f(0, 0, 0)) == 0);
    CHECK(volume.extinctionIntegral() == 0);
}
