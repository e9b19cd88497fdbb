#pragma once
// Small volumes for the tests of light transport.

#include <cmath>
#include <map>
#include <utility>

#include "render/density_volume.h"
#include "render/sampler.h"

namespace firn::test {

/// Density `density(voxel)` at all voxels from min to max, inclusive; asked in the order of x, then y, then z.
template <class Density>
DensityGrid densityInBox(const Vec3i& min, const Vec3i& max, double voxel_m, Density density)
{
    std::map<LeafKey, DensityGrid::Leaf> leaves;
    constexpr int edge = DensityGrid::leafEdge;
    for (int x = min.x(); x <= max.x(); ++x) {
        for (int y = min.y(); y <= max.y(); ++y) {
            for (int z = min.z(); z <= max.z(); ++z) {
                DensityGrid::Leaf& leaf = leaves[leafKey(x >> 3, y >> 3, z >> 3)];
                const int i = ((x & 7) * edge + (y & 7)) * edge + (z & 7);
                leaf[static_cast<std::size_t>(i)] = density(Vec3i(x, y, z));
            }
        }
    }
    DensityGrid grid;
    grid.voxel_m = voxel_m;
    for (auto& [key, leaf] : leaves) {
        grid.keys.push_back(key);
        grid.leaves.push_back(leaf);
    }
    return grid;
}

/// A ball of radius 12 voxels about (3, -5, 2) with a density from 0 to 800, independent from voxel to voxel, clumped
/// in blobs with gaps of air.
inline DensityGrid clumpedBall(double voxel_m)
{
    Sampler sampler(7, 7, 7);
    return densityInBox(Vec3i(-10, -18, -11), Vec3i(16, 8, 15), voxel_m, [&](const Vec3i& voxel) {
        const float noise = 800 * sampler.uniform();
        const Vec3d p = (voxel - Vec3i(3, -5, 2)).cast<double>();
        const bool gap = std::sin(p.x() * 0.6) + std::sin(p.y() * 0.5) + std::sin(p.z() * 0.7) < -0.8;
        return p.norm() > 12 || gap ? 0 : noise;
    });
}

}  // namespace firn::test
