#include "render/export/sampled_grid.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/error.h"
#include "render/cube.h"

namespace firn {
namespace {

constexpr int edge = DensityGrid::leafEdge;
constexpr float leastDensity = 1e-5f;  // kg/m^3; less is rounding beside empty voxels

/// Leaves that a box of the volume touches, with the half voxel around each centre.
struct LeafRange {
    Vec3i least, most;

    LeafRange(const Volume& volume, std::size_t brick, double voxel_m, UpAxis up)
    {
        const Bricks& bricks = volume.bricks();
        const Vec3f corner = bricks.origins[brick].cast<float>(),
                    opposite = corner + Vec3f::Constant(static_cast<float>(bricks.edgeOf(brick)));
        const Vec3d a = turnedTo(up, volume.toWorld(corner).cast<double>()) / voxel_m,
                    b = turnedTo(up, volume.toWorld(opposite).cast<double>()) / voxel_m;
        const Vec3d low = (a.cwiseMin(b).array() - 0.5) / edge, high = (a.cwiseMax(b).array() + 0.5) / edge;
        if (low.minCoeff() < -leafKeyLimit || high.maxCoeff() >= leafKeyLimit)
            throw Error(ExitCode::Usage, "the voxels are too small for the extent of the snow: more than " +
                                             std::to_string(edge * leafKeyLimit) +
                                             " of them from the origin; expected larger ones");
        least = low.array().floor().cast<int>();
        most = high.array().floor().cast<int>();
    }
};

std::vector<LeafKey> leavesNear(const Volume& volume, double voxel_m, UpAxis up)
{
    std::vector<LeafKey> keys;
    for (std::size_t brick = 0; brick < volume.bricks().bricks.size(); ++brick) {
        const LeafRange range(volume, brick, voxel_m, up);
        for (int x = range.least.x(); x <= range.most.x(); ++x)
            for (int y = range.least.y(); y <= range.most.y(); ++y)
                for (int z = range.least.z(); z <= range.most.z(); ++z) keys.push_back(leafKey(x, y, z));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

/// Samples along an edge of a voxel.
int samplesAlong(double voxel_m, double finest_m)
{
    constexpr int most = 4;
    constexpr double rounding = 1e-3;
    return std::clamp(static_cast<int>(std::ceil(voxel_m / finest_m - rounding)), 1, most);
}

}  // namespace

Vec3d turnedTo(UpAxis up, const Vec3d& point)
{
    return up == UpAxis::Y ? point : Vec3d(point.x(), -point.z(), point.y());
}

Vec3d turnedFrom(UpAxis up, const Vec3d& point)
{
    return up == UpAxis::Y ? point : Vec3d(point.x(), point.z(), -point.y());
}

DensityGrid sampledGrid(const Volume& volume, double extinctionPerDensity, double voxel_m, UpAxis up)
{
    const std::vector<LeafKey> keys = leavesNear(volume, voxel_m, up);
    const int n = samplesAlong(voxel_m, static_cast<double>(volume.voxelSize_m()));
    const auto scale = static_cast<float>(1 / (extinctionPerDensity * n * n * n));
    const auto valueAt = [&](const Vec3i& voxel) {
        float sum = 0;
        for (int s = 0; s < n * n * n; ++s) {
            const Vec3d inVoxel = (cubeCoordinates(s, n).cast<double>().array() + 0.5) / n - 0.5;
            sum += volume.extinction(turnedFrom(up, (voxel.cast<double>() + inVoxel) * voxel_m).cast<float>());
        }
        return scale * sum < leastDensity ? 0 : scale * sum;
    };
    std::vector<DensityGrid::Leaf> leaves(keys.size());
    std::vector<char> isFilled(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) {
        const Vec3i corner = leafOfKey(keys[i]) * edge;
        for (int v = 0; v < edge * edge * edge; ++v) {
            const float value = valueAt(corner + cubeCoordinates(v, edge));
            leaves[i][static_cast<std::size_t>(v)] = value;
            isFilled[i] |= value > 0;
        }
    });
    DensityGrid grid{voxel_m, {}, {}};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!isFilled[i]) continue;
        grid.keys.push_back(keys[i]);
        grid.leaves.push_back(leaves[i]);
    }
    return grid;
}

double massOf(const DensityGrid& grid)
{
    double sum = 0;
    for (const DensityGrid::Leaf& leaf : grid.leaves) sum += std::accumulate(leaf.begin(), leaf.end(), 0.0);
    return sum * grid.voxel_m * grid.voxel_m * grid.voxel_m;
}

}  // namespace firn
