// Snow as other renderers get it: the sampled grid, and the OpenVDB grids in the file.
#include "render/export/vdb_volume.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "common/cache/vdb_bytes.h"
#include "common/io/checked_file.h"
#include "common/io/threads.h"
#include "render/density_volume.h"
#include "tests/temporary_folder.h"

using namespace firn;

namespace {

constexpr double extinctionPerDensity = 20;  // m^2/kg

/// A smooth bump of density with its middle at `middle_m`.
DensityGrid bump(double voxel_m, const Vec3d& middle_m)
{
    DensityGrid grid{voxel_m, {}, {}};
    const Vec3i home = (middle_m / voxel_m / DensityGrid::leafEdge).array().floor().cast<int>();
    for (int x = -2; x <= 2; ++x)
        for (int y = -2; y <= 2; ++y)
            for (int z = -2; z <= 2; ++z) grid.keys.push_back(leafKey(home + Vec3i(x, y, z)));
    std::sort(grid.keys.begin(), grid.keys.end());
    for (const LeafKey key : grid.keys) {
        DensityGrid::Leaf leaf;
        for (int i = 0; i < 512; ++i) {
            const Vec3i voxel = leafOfKey(key) * 8 + Vec3i(i / 64, i / 8 % 8, i % 8);
            const double r = (voxel.cast<double>() * voxel_m - middle_m).norm() / (8 * voxel_m);
            leaf[static_cast<std::size_t>(i)] = r < 1 ? static_cast<float>(300 * (1 - r * r) * (1 - r * r)) : 0;
        }
        grid.leaves.push_back(leaf);
    }
    return grid;
}

/// Particles that move with one velocity.
MeanField wind(const Vec3f& velocity_m_s, const Vec3d& middle_m)
{
    SnowParticles particles;
    for (int i = 0; i < 1000; ++i) {
        particles.position_m.emplace_back(middle_m + 0.02 * Vec3d(i % 10 - 4.5, i / 10 % 10 - 4.5, i / 100 - 4.5));
        particles.velocity_m_s.push_back(velocity_m_s);
        particles.mass_kg.push_back(1);
    }
    return {particles, particles.mass_kg, particles.velocity_m_s, 0.02};
}

template <class Grid>
typename Grid::Ptr gridIn(const std::string& bytes, const std::string& name)
{
    const VdbContent content = readVdbBytes(std::as_bytes(std::span(bytes)), "test");
    for (const auto& grid : content.grids)
        if (grid->getName() == name) return openvdb::gridPtrCast<Grid>(grid);
    return nullptr;
}

}  // namespace

TEST_CASE("With the voxels of the density grid, a sampled grid is the grid that is rendered")
{
    const DensityGrid grid = bump(0.01, {0.333, 0.1, -0.2});
    const Volume volume = volumeFromDensity(grid, extinctionPerDensity);
    const DensityGrid sampled = sampledGrid(volume, extinctionPerDensity, 0.01, UpAxis::Y);
    CHECK(sampled.voxelCount() < 1.02 * static_cast<double>(grid.voxelCount()));  // rounding beside empty voxels
    for (const LeafKey key : grid.keys)
        for (int i = 0; i < 512; i += 7) {
            const Vec3i voxel = leafOfKey(key) * 8 + Vec3i(i / 64, i / 8 % 8, i % 8);
            REQUIRE(sampled.at(voxel) == Approx(grid.at(voxel)).epsilon(1e-3).margin(0.02));
        }
    CHECK(massOf(sampled) == Approx(massOf(grid)).epsilon(1e-5));
}

TEST_CASE("Larger and smaller voxels keep the mass, for any number of threads")
{
    const DensityGrid grid = bump(0.01, {0.333, 0.1, -0.2});
    const Volume volume = volumeFromDensity(grid, extinctionPerDensity);
    for (const double voxel_m : {0.004, 0.007, 0.023, 0.035}) {
        DensityGrid one, three;
        runWithThreads(1, [&] { one = sampledGrid(volume, extinctionPerDensity, voxel_m, UpAxis::Y); });
        runWithThreads(3, [&] { three = sampledGrid(volume, extinctionPerDensity, voxel_m, UpAxis::Y); });
        INFO(voxel_m);
        CHECK(massOf(one) == Approx(massOf(grid)).epsilon(0.002));
        CHECK(one.keys == three.keys);
        CHECK(one.leaves == three.leaves);
    }
    CHECK_THROWS_WITH(sampledGrid(volume, extinctionPerDensity, 1e-8, UpAxis::Y), Catch::Contains("too small"));
}

TEST_CASE("Where z points up, space and velocities are turned about x")
{
    const Vec3d middle(0.3, 0.1, -0.2);
    const Volume volume = volumeFromDensity(bump(0.01, middle), extinctionPerDensity);
    const DensityGrid sampled = sampledGrid(volume, extinctionPerDensity, 0.01, UpAxis::Z);
    CHECK(sampled.at({30, 20, 10}) == Approx(300).epsilon(1e-4));
    CHECK(turnedFrom(UpAxis::Z, turnedTo(UpAxis::Z, {1, 2, 3})) == Vec3d(1, 2, 3));
    const std::string bytes =
        vdbVolumeBytes(sampled, wind({1, 2, 3}, middle), {.up = UpAxis::Z}, VdbVolumeAbout{.key = "k"});
    const auto velocity = gridIn<openvdb::Vec3SGrid>(bytes, "vel");
    REQUIRE(velocity);
    const openvdb::Vec3s found = velocity->tree().getValue({30, 20, 10});
    CHECK(found.x() == Approx(1));
    CHECK(found.y() == Approx(-3));
    CHECK(found.z() == Approx(2));
    CHECK(velocity->activeVoxelCount() <= sampled.voxelCount());
}

TEST_CASE("The file has the grids that other programs look for")
{
    const DensityGrid grid = bump(0.01, {0, 0, 0});
    const auto bytesOf = [&](bool isHalf) {
        return vdbVolumeBytes(grid, wind(Vec3f::Zero(), Vec3d::Zero()), {.is_half = isHalf, .surface_kg_m3 = 150},
                              {.frame = 7, .key = "a key", .extinction_m2_per_kg = extinctionPerDensity});
    };
    const std::string whole = bytesOf(false), small = bytesOf(true);
    CHECK(bytesOf(true) == small);
    CHECK(small.size() < whole.size());
    for (const std::string& bytes : {whole, small}) {
        const auto density = gridIn<openvdb::FloatGrid>(bytes, "density");
        REQUIRE(density);
        CHECK(density->getGridClass() == openvdb::GRID_FOG_VOLUME);
        CHECK(density->voxelSize().x() == Approx(0.01));
        CHECK(density->activeVoxelCount() == grid.voxelCount());
        CHECK(density->tree().getValue({0, 0, 0}) == Approx(300).epsilon(1e-3));
        CHECK(gridIn<openvdb::Vec3SGrid>(bytes, "vel")->activeVoxelCount() == 0);  // at rest
    }
    CHECK(gridIn<openvdb::FloatGrid>(whole, "density")->tree().getValue({3, 4, -2}) == grid.at({3, 4, -2}));
    // Density falls to half of its greatest value at this radius.
    const double radius_m = 0.08 * std::sqrt(1 - std::sqrt(0.5));
    const auto surface = gridIn<openvdb::FloatGrid>(whole, "surface");
    REQUIRE(surface);
    CHECK(surface->getGridClass() == openvdb::GRID_LEVEL_SET);
    openvdb::tools::GridSampler<openvdb::FloatGrid, openvdb::tools::BoxSampler> at(*surface);
    for (const double more_m : {-0.015, 0.0, 0.015})
        CHECK(at.wsSample({0, radius_m + more_m, 0}) == Approx(more_m).margin(0.0015));
    const TemporaryFolder folder;
    writeFileChecked(folder / "a.vdb", whole);
    CHECK(volumeOriginOf(folder / "a.vdb").key == "a key");
    CHECK(volumeOriginOf(folder / "a.vdb").up == "y");
    std::filesystem::resize_file(folder / "a.vdb", whole.size() - 1);
    CHECK(volumeOriginOf(folder / "a.vdb").key.empty());
}

TEST_CASE("Without snow, the file has empty grids")
{
    const std::string bytes = vdbVolumeBytes({0.01, {}, {}}, wind(Vec3f::Zero(), Vec3d::Zero()), {.surface_kg_m3 = 100},
                                             VdbVolumeAbout{.key = "k"});
    for (const char* name : {"density", "surface"}) {
        const auto grid = gridIn<openvdb::FloatGrid>(bytes, name);
        REQUIRE(grid);
        CHECK(grid->activeVoxelCount() == 0);
    }
}
