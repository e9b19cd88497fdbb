#pragma once
// Sums over wide grains on the voxels of the density grid, from which finer bricks are interpolated. A kernel that is
// wider than the voxels is nearly cubic between them, so its sums need not be taken anew in each brick.

#include "render/grain_fields.h"
#include "render/kernel_sums.h"

namespace firn {

class GrainLattice {
public:
    /// Grains are summed whose kernels are at least this many voxels wide. Interpolation changes their sums by less
    /// than 2 % of those inside snow.
    static constexpr float leastWidth = 1.8f;

    GrainLattice(std::span<const Grain> grains, double voxel_m);

    static bool holds(const Grain& grain, double voxel_m)
    {
        return !grain.is_fragment && grain.width_m >= leastWidth * static_cast<float>(voxel_m);
    }

    /// The sums around a brick of the density grid.
    struct Block {
        static constexpr int edge = Bricks::values + 2;  // from one voxel before the brick to one after it
        static constexpr int rowSize = 16;               // along z, padded
        using Rows = std::array<float, edge * edge * rowSize>;
        alignas(64) std::array<Rows, GrainFields::count> rows;

        /// Value k of row edge x + y.
        float& at(std::size_t field, int row, int k)
        {
            const int i = row * rowSize + k;
            return rows[field][static_cast<std::size_t>(i)];
        }
    };
    /// `leaf`: the brick's first corner, in bricks. False if all sums are zero.
    bool copy(const Vec3i& leaf, Block& block) const;

private:
    SumGrids m_sums;  // of the fields
};

/// Interpolates values at first + step (i, j, k), in voxels from the brick's corner, by cubic polynomials through four
/// voxels along each axis. Sets all fields.
void interpolate(const GrainLattice::Block& block, const Vec3f& first, float step, GrainFields& fields);

}  // namespace firn
