#include "render/volume.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>

#include <catch2/catch.hpp>

#include "noise_volume.h"

using namespace firn;
using namespace firn::test;

namespace {

openvdb::FloatGrid::Ptr toOpenVdb(const DensityGrid& density)
{
    auto grid = openvdb::FloatGrid::create(0);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(density.voxel_m));
    auto accessor = grid->getAccessor();
    for (std::size_t i = 0; i < density.keys.size(); ++i) {
        const Vec3i corner = leafOfKey(density.keys[i]) * DensityGrid::leafEdge;
        for (int k = 0; k < 512; ++k) {
            const openvdb::Coord voxel(corner.x() + k / 64, corner.y() + k / 8 % 8, corner.z() + k % 8);
            accessor.setValue(voxel, density.leaves[i][static_cast<std::size_t>(k)]);
        }
    }
    return grid;
}

}  // namespace

TEST_CASE("Extinction equals the grid's trilinear density times extinction per density", "[volume]")
{
    const double voxel = 0.05, extinctionPerDensity = 724. / 400;
    const DensityGrid grid = clumpedBall(voxel);
    const auto reference = toOpenVdb(grid);
    openvdb::tools::GridSampler<openvdb::FloatGrid, openvdb::tools::BoxSampler> expected(*reference);
    for (int blockShift = 0; blockShift <= 3; ++blockShift) {
        const Volume volume = volumeFromDensity(grid, extinctionPerDensity, blockShift);
        Sampler sampler(1, 0, 0);
        for (int i = 0; i < 2000; ++i) {
            const Vec3f p =
                Vec3f(sampler.uniform(), sampler.uniform(), sampler.uniform()) * 2 + Vec3f(-.8f, -1.2f, -.9f);
            const double density = expected.wsSample(openvdb::Vec3d(p.x(), p.y(), p.z()));
            REQUIRE(volume.extinction(p) == Approx(density * extinctionPerDensity).margin(0.05));  // of up to 1448
            // The grid's own interpolation is OpenVDB's, to the bit.
            REQUIRE(static_cast<double>(grid.interpolate(p.cast<double>() * (1 / voxel))) == density);
        }
    }
}

TEST_CASE("A place without a brick knows how far the next brick is", "[volume]")
{
    // Bricks around the voxels (0, 0, 0) and (70, 20, 100), 8.75, 2.5 and 12.5 bricks apart.
    DensityGrid grid = densityInBox(Vec3i::Zero(), Vec3i::Zero(), 1, [](const Vec3i&) { return 1.0f; });
    const DensityGrid far = densityInBox(Vec3i(70, 20, 100), Vec3i(70, 20, 100), 1, [](const Vec3i&) { return 1.0f; });
    grid.keys.push_back(far.keys.front());
    grid.leaves.push_back(far.leaves.front());
    const Volume volume = volumeFromDensity(grid, 1);
    const Bricks& bricks = volume.bricks();
    const Vec3i size = (bricks.cell_max - bricks.cell_min) / Bricks::cells;
    int farthest = 0;
    for (int i = 0; i < size.prod(); ++i) {
        const Vec3i p(i / (size.y() * size.z()), i / size.z() % size.y(), i % size.z());
        const Vec3i cell = bricks.cell_min + p * Bricks::cells;
        int nearest = 15;
        for (const Vec3i& origin : bricks.origins)
            nearest = std::min(nearest, ((origin - cell) / Bricks::cells).cwiseAbs().maxCoeff());
        const Bricks::Found found = bricks.brickOf(int4(cell, 0));
        if (found.chunk_empty) continue;
        REQUIRE((nearest == 0 ? found.brick >= 0 : found.brick == -nearest));
        farthest = std::max(farthest, nearest);
    }
    CHECK(farthest > 4);
}

TEST_CASE("Majorants bound the field in their blocks and are attained", "[volume]")
{
    const Volume volume = volumeFromDensity(clumpedBall(0.05), 1);
    const Bricks& bricks = volume.bricks();
    Sampler sampler(2, 0, 0);
    float closest = 0;
    for (int i = 0; i < 20000; ++i) {
        Vec3f p;
        for (int axis = 0; axis < 3; ++axis) {
            const auto low = static_cast<float>(bricks.cell_min[axis]),
                       high = static_cast<float>(bricks.cell_max[axis]);
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
    const DensityGrid grid = clumpedBall(voxel);
    double sum = 0;
    for (const DensityGrid::Leaf& leaf : grid.leaves)
        for (const float value : leaf) sum += static_cast<double>(value);
    CHECK(volumeFromDensity(grid, 2).extinctionIntegral() == Approx(sum * 2 * voxel * voxel * voxel).epsilon(1e-5));
    CHECK(Volume::homogeneous(Vec3f(0, 0, 0), Vec3f(1, 2, 3), 5).extinctionIntegral() == Approx(30));
}

TEST_CASE("The gradient of a linear ramp is its slope", "[volume]")
{
    const DensityGrid grid = densityInBox(Vec3i::Zero(), Vec3i::Constant(20), 0.1, [](const Vec3i& voxel) {
        return static_cast<float>(voxel.x() + 2 * voxel.y());  // per index
    });
    const Vec3f gradient = volumeFromDensity(grid, 3).gradient(Vec3f(1.03f, .97f, 1.01f));  // 3 * (1, 2, 0) per 0.1 m
    CHECK(gradient.isApprox(Vec3f(30, 60, 0), 1e-3f));
}

TEST_CASE("Grids that cannot be tracked through are refused with the place", "[volume]")
{
    const auto withOne = [](float density) {
        return densityInBox(Vec3i(1, 2, 3), Vec3i(1, 2, 3), 1, [&](const Vec3i&) { return density; });
    };
    CHECK_THROWS_WITH(volumeFromDensity(withOne(-1), 1), Catch::Contains("(1, 2, 3)") && Catch::Contains("-1"));
    CHECK_THROWS_WITH(volumeFromDensity(withOne(std::numeric_limits<float>::quiet_NaN()), 1),
                      Catch::Contains("(1, 2, 3)"));
    CHECK_NOTHROW(volumeFromDensity(withOne(1), 1));
}

TEST_CASE("A grid without snow makes an empty volume", "[volume]")
{
    const Volume volume = volumeFromDensity(DensityGrid{}, 1);
    CHECK(volume.extinction(Vec3f(0, 0, 0)) == 0);
    CHECK(volume.extinctionIntegral() == 0);
}
