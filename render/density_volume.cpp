#include "render/density_volume.h"

#include <spdlog/fmt/fmt.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "common/error.h"
#include "render/cube.h"

namespace firn {
namespace {

static_assert(Bricks::cells == DensityGrid::leafEdge, "a brick starts at the corner of a leaf");

void requireDensity(float density, const Vec3i& voxel)
{
    if (density >= 0 && std::isfinite(density)) return;
    throw Error(ExitCode::Failed,
                fmt::format("density at voxel ({}, {}, {}) is {}; expected a finite number that is not negative",
                            voxel.x(), voxel.y(), voxel.z(), density));
}

/// Bricks relative to the least corner of all candidates, which is returned in leaves.
Bricks collectBricks(const DensityGrid& density, float scale, Vec3i& corner)
{
    const std::vector<LeafKey> candidates = candidateBricks(density);
    std::vector<Bricks::Values> values(candidates.size());
    std::vector<char> filled(candidates.size());
    tbb::parallel_for(std::size_t{0}, candidates.size(), [&](std::size_t i) {
        filled[i] = fillBrick(density, leafOfKey(candidates[i]), scale, values[i]);
    });

    corner = candidates.empty() ? Vec3i::Zero().eval() : leafOfKey(candidates.front());
    for (const LeafKey key : candidates) corner = corner.cwiseMin(leafOfKey(key));
    Bricks bricks;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!filled[i]) continue;
        bricks.origins.emplace_back((leafOfKey(candidates[i]) - corner) * Bricks::cells);
        bricks.bricks.push_back(values[i]);
    }
    return bricks;
}

}  // namespace

std::vector<LeafKey> candidateBricks(const DensityGrid& density)
{
    std::vector<LeafKey> result;
    for (const LeafKey key : density.keys) {
        const Vec3i leaf = leafOfKey(key);
        for (int i = 0; i < 8; ++i) result.push_back(leafKey(leaf - Vec3i(i & 1, i >> 1 & 1, i >> 2)));
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

void copyBrick(const DensityGrid& grid, const Vec3i& leaf, Bricks::Values& values)
{
    constexpr int edge = DensityGrid::leafEdge;
    const DensityGrid::Leaf* leaves[8];
    for (int i = 0; i < 8; ++i) leaves[i] = grid.find(leafKey(leaf + Vec3i(i >> 2, i >> 1 & 1, i & 1)));
    std::size_t i = 0;
    for (int x = 0; x < Bricks::values; ++x) {
        for (int y = 0; y < Bricks::values; ++y) {
            for (int z = 0; z < Bricks::values; ++z, ++i) {
                const DensityGrid::Leaf* source = leaves[(x / edge * 2 + y / edge) * 2 + z / edge];
                values[i] = source == nullptr ? 0 : (*source)[((x % edge) * edge + y % edge) * edge + z % edge];
            }
        }
    }
}

bool fillBrick(const DensityGrid& density, const Vec3i& leaf, float scale, Bricks::Values& values)
{
    constexpr int n = Bricks::values;
    copyBrick(density, leaf, values);
    bool filled = false;
    for (int i = 0; i < n * n * n; ++i) {
        float& value = values[static_cast<std::size_t>(i)];
        requireDensity(value, leaf * Bricks::cells + cubeCoordinates(i, n));
        filled |= value > 0;
        value *= scale;
    }
    return filled;
}

Volume volumeFromDensity(const DensityGrid& density, double extinctionPerDensity, int blockShift)
{
    const auto scale = static_cast<float>(extinctionPerDensity * density.voxel_m);
    Vec3i corner;
    Bricks bricks = collectBricks(density, scale, corner);
    indexBricks(bricks, blockShift);
    return Volume(std::move(bricks), (corner * Bricks::cells).cast<double>() * density.voxel_m, density.voxel_m);
}

}  // namespace firn
