#pragma once
// Places for particles, as one block of cells that repeats in space. The points look random, but the sum of kernels
// over them is nearly constant. Where it is not, nodes move to even out their forces, and the snow is softer than its
// modulus says.

#include <vector>

#include "common/math.h"

namespace firn {

/// A block of edge^3 cells with the same number of points in each. The points start at random places of their cell and
/// then move down the gradient of their own density, which a cubic kernel of about their spacing measures. They become
/// blue noise. No point leaves its cell, so a box of whole cells holds its exact mass.
class PointTile {
public:
    static constexpr int edge = 16;

    /// `perCell` points in each cell, 1 or more.
    explicit PointTile(int perCell);

    /// The points of a cell: its offsets from the cell's lower corner, 0 <= x < 1. There are `perCell` of them.
    const Vec3f* points(const Vec3i& cell) const;

private:
    void relax();

    int m_perCell;
    std::vector<Vec3f> m_points;  // by cell
};

/// The cell of the tile at which a region of a seed begins. Regions of one seed and number of points join without a
/// seam.
Vec3i tileOffset(int seed);

/// The tile for a number of points per cell. It is made once per process. May be called from any thread.
const PointTile& pointTile(int perCell);

}  // namespace firn
