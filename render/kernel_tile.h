#pragma once
// The voxels around one leaf of a grid, into which the kernels of that leaf are summed.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "render/cubic_kernel.h"
#include "render/density_grid.h"

namespace firn {

/// A kernel in index space, relative to the corner of the leaf it lies in.
struct Splat {
    Vec3f local;  // voxels, [0, 8)
    float width;  // h, voxels
};

/// Voxels [low, high) along each axis, from the corner of a leaf.
struct VoxelBox {
    Vec3i low, high;
};

/// The weights of a kernel along an axis: `count` of them from voxel `first` on, both multiples of `step`.
template <int step>
struct AxisWeights {
    static constexpr int mostReach = 32;  // voxels on either side of a kernel
    std::array<float, 2 * (mostReach + step)> values;
    int first, count;

    AxisWeights(float x, float width)
    {
        const int low = static_cast<int>(std::ceil(x - 2 * width)), high = static_cast<int>(std::floor(x + 2 * width));
        first = low & -step;
        count = (high - first + step) & -step;
        const float inverse = 1 / width;
        for (int i = 0; i < count; ++i)
            values[static_cast<std::size_t>(i)] = cubicKernel((x - static_cast<float>(first + i)) * inverse);
    }
    float at(int i) const { return values[static_cast<std::size_t>(i)]; }
};

/// One cube of voxels for each of several sums.
class KernelTile {
public:
    static constexpr int rowStep = 8;  // voxels that are added at once along z

    /// Reaches over so many leaves to each side.
    KernelTile(int reach, std::size_t sums)
        : m_edge((2 * reach + 1) * leafEdge), m_offset(reach * leafEdge), m_sums(sums)
    {
        const auto edge = static_cast<std::size_t>(m_edge);
        for (auto& values : m_sums) values.resize(edge * edge * edge);
    }

    void clear(const VoxelBox& box)
    {
        forRows(box, [&](int x, int y) {
            for (auto& values : m_sums) {
                const auto row = values.begin() + rowAt(x, y);
                std::fill(row + box.low.z(), row + box.high.z(), 0.0f);
            }
        });
    }

    /// `amounts`: one for each sum.
    void add(const Splat& splat, const float* amounts)
    {
        const AxisWeights<1> x(splat.local.x(), splat.width), y(splat.local.y(), splat.width);
        const AxisWeights<rowStep> z(splat.local.z(), splat.width);
        for (int i = 0; i < x.count; ++i) {
            for (int j = 0; j < y.count; ++j) {
                const float weight = x.at(i) * y.at(j);
                const std::ptrdiff_t row = rowAt(x.first + i, y.first + j) + z.first;
                for (std::size_t s = 0; s < m_sums.size(); ++s)
                    addRow(m_sums[s].data() + row, amounts[s] * weight, z.values.data(), z.count);
            }
        }
    }

    /// Adds one of the sums to the leaf that lies `offset` leaves from that of the kernels.
    void addTo(DensityGrid::Leaf& leaf, std::size_t sum, const Vec3i& offset, const VoxelBox& box) const
    {
        const Vec3i corner = offset * leafEdge;
        const VoxelBox part{box.low.cwiseMax(corner), box.high.cwiseMin(corner + Vec3i::Constant(leafEdge))};
        forRows(part, [&](int x, int y) {
            const float* const from = m_sums[sum].data() + rowAt(x, y);
            float* const to = leaf.data() + ((x - corner.x()) * leafEdge + y - corner.y()) * leafEdge;
            for (int z = part.low.z(); z < part.high.z(); ++z) to[z - corner.z()] += from[z];
        });
    }

private:
    static constexpr int leafEdge = DensityGrid::leafEdge;

    template <class F>
    static void forRows(const VoxelBox& box, const F& f)
    {
        for (int x = box.low.x(); x < box.high.x(); ++x)
            for (int y = box.low.y(); y < box.high.y(); ++y) f(x, y);
    }
    static void addRow(float* row, float amount, const float* weights, int count)
    {
        for (int k = 0; k < count; k += rowStep)
            for (int lane = 0; lane < rowStep; ++lane) row[k + lane] += amount * weights[k + lane];
    }
    /// Of voxel (x, y, 0).
    std::ptrdiff_t rowAt(int x, int y) const { return ((x + m_offset) * m_edge + y + m_offset) * m_edge + m_offset; }

    int m_edge, m_offset;                    // voxels
    std::vector<std::vector<float>> m_sums;  // z fastest
};

}  // namespace firn
