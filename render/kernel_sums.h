#pragma once
// Sums of kernels over the voxels of a sparse grid. A kernel is the cubic B-spline N(x / h) of density.h along each
// axis. Its weights are divided by their sum over the voxels, so the grid holds all of each amount.

#include <functional>
#include <span>
#include <vector>

#include "render/kernel_tile.h"

namespace firn {

struct Kernel {
    Vec3d position_m;
    float width_m;  // h; at least a voxel is used
};

/// Several sums on one grid.
struct SumGrids {
    double voxel_m = 1;
    std::size_t sums = 0;
    std::vector<LeafKey> keys;              // ascending
    std::vector<DensityGrid::Leaf> leaves;  // all sums of the first key, then those of the next

    /// The leaves of the key at this place in `keys`.
    std::span<const DensityGrid::Leaf> at(std::size_t place) const
    {
        return std::span(leaves).subspan(place * sums, sums);
    }
};

class KernelSums {
public:
    /// Kernels 0 ... count - 1; `kernelOf` is called from several threads. Throws Error: Usage when the voxel is so
    /// small that a kernel would reach over more than 64 voxels; File when a position is not finite or beyond the grid.
    KernelSums(std::size_t count, const std::function<Kernel(std::size_t)>& kernelOf, double voxel_m);

    /// Amounts of the kernels per volume of a voxel. The sums run in a fixed order, so they have the same bits for any
    /// number of threads.
    DensityGrid of(std::span<const float> amounts) const;

    /// Sets all amounts of a kernel, as many as there are sums.
    using AmountsOf = std::function<void(std::size_t kernel, float* amounts)>;
    /// The same of several amounts, with less work.
    SumGrids of(std::size_t sums, const AmountsOf& amountsOf) const;

private:
    /// Splats [begin, end), which lie in one leaf.
    struct Bin {
        LeafKey key;
        std::size_t begin, end;
    };

    VoxelBox reachOf(const Bin& bin) const;
    std::vector<LeafKey> reachedLeaves() const;
    std::vector<std::vector<std::uint32_t>> binsByColour() const;

    double m_voxel_m;
    std::vector<Splat> m_splats;           // sorted by leaf, then by number
    std::vector<std::uint32_t> m_kernels;  // of the splats
    std::vector<float> m_scales;           // of the splats: 1 over the voxel's volume and the sums of weights, 1/m^3
    std::vector<Bin> m_bins;               // by ascending key
    int m_reach = 0;                       // of the widest kernel, leaves
};

}  // namespace firn
