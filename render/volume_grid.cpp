#include "render/volume_grid.h"

#include <openvdb/tree/LeafManager.h>
#include <spdlog/fmt/fmt.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "common/error.h"

namespace firn {
namespace {

using openvdb::Coord;

/// Bricks that interpolate between voxels of the leaves: a leaf reaches one cell below its origin.
std::vector<Coord> candidateBricks(const openvdb::FloatTree& tree)
{
    std::vector<Coord> result;
    for (auto leaf = tree.cbeginLeaf(); leaf; ++leaf) {
        const Coord origin = leaf->origin();
        for (int i = 0; i < 8; ++i) result.push_back(origin.offsetBy(-8 * (i & 1), -4 * (i & 2), -2 * (i & 4)));
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// Whether any value differs from zero.
bool fillBrick(const openvdb::FloatGrid& grid, const Coord& origin, float scale, Bricks::Values& values)
{
    auto accessor = grid.getConstAccessor();
    bool filled = false;
    int i = 0;
    for (int x = 0; x < Bricks::values; ++x) {
        for (int y = 0; y < Bricks::values; ++y) {
            for (int z = 0; z < Bricks::values; ++z) {
                const Coord ijk = origin.offsetBy(x, y, z);
                const float density = accessor.getValue(ijk);
                if (!(density >= 0 && std::isfinite(density))) {
                    throw Error(
                        ExitCode::Failed,
                        fmt::format(
                            "density at voxel ({}, {}, {}) is {}, expected a finite number that is not negative",
                            ijk.x(), ijk.y(), ijk.z(), density));
                }
                values[i++] = density * scale;
                filled |= density > 0;
            }
        }
    }
    return filled;
}

double uniformVoxelSize(const openvdb::math::Transform& transform)
{
    const openvdb::Vec3d voxel = transform.voxelSize();
    const openvdb::Vec3d diagonal =
        transform.indexToWorld(openvdb::Vec3d(1)) - transform.indexToWorld(openvdb::Vec3d(0));
    if (!transform.hasUniformScale() || !diagonal.eq(openvdb::Vec3d(voxel.x()), 1e-6)) {
        throw Error(ExitCode::Failed, "a density grid must have cubic voxels along the axes");
    }
    return voxel.x();
}

Bricks collectBricks(const openvdb::FloatGrid& grid, float scale, Coord& corner)
{
    const std::vector<Coord> candidates = candidateBricks(grid.tree());
    std::vector<Bricks::Values> values(candidates.size());
    std::vector<char> filled(candidates.size());
    tbb::parallel_for(std::size_t{0}, candidates.size(),
                      [&](std::size_t i) { filled[i] = fillBrick(grid, candidates[i], scale, values[i]); });

    corner = candidates.empty() ? Coord() : candidates.front();
    for (const Coord& c : candidates) corner.minComponent(c);
    Bricks bricks;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!filled[i]) continue;
        const Coord local = candidates[i] - corner;
        bricks.origins.emplace_back(local.x(), local.y(), local.z());
        bricks.bricks.push_back(values[i]);
    }
    return bricks;
}

}  // namespace

Volume volumeFromGrid(const openvdb::FloatGrid& density, double extinctionPerDensity, int blockShift)
{
    const double voxelSize_m = uniformVoxelSize(density.transform());
    const auto scale = static_cast<float>(extinctionPerDensity * voxelSize_m);
    Coord corner;
    Bricks bricks;
    if (density.tree().hasActiveTiles()) {
        const openvdb::FloatGrid::Ptr dense = density.deepCopy();
        dense->tree().voxelizeActiveTiles();
        bricks = collectBricks(*dense, scale, corner);
    } else {
        bricks = collectBricks(density, scale, corner);
    }
    indexBricks(bricks, blockShift);
    const openvdb::Vec3d origin = density.transform().indexToWorld(corner);
    return Volume(std::move(bricks), Vec3d(origin.x(), origin.y(), origin.z()), voxelSize_m);
}

}  // namespace firn
