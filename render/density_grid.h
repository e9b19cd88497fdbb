#pragma once
// A sparse grid of cubic voxels with a density (kg/m^3) each, in leaves of 8^3 voxels. Voxel (i, j, k) is centred at
// (i, j, k) * voxel_m. Voxels outside the leaves have density 0.

#include <array>
#include <vector>

#include "common/leaf_key.h"

namespace firn {

struct DensityGrid {
    static constexpr int leafEdge = 8;                               // voxels
    using Leaf = std::array<float, leafEdge * leafEdge * leafEdge>;  // z fastest

    double voxel_m = 1;
    std::vector<LeafKey> keys;  // ascending
    std::vector<Leaf> leaves;   // in the order of keys

    /// The leaf with this key, or null.
    const Leaf* find(LeafKey key) const;
    float at(const Vec3i& voxel) const;
    /// Trilinear between voxels; `point` in voxels.
    float interpolate(const Vec3d& point) const;
    /// Voxels that hold mass.
    std::size_t voxelCount() const;
};

/// The same density in voxels of half the edge, trilinear between the voxels of `grid`.
DensityGrid halved(const DensityGrid& grid);
/// The sum of two grids with equal voxels.
DensityGrid added(DensityGrid a, const DensityGrid& b);

}  // namespace firn
