#pragma once
// Which nodes of a lattice are inside a closed surface: the winding numbers along its rows of nodes.

#include <vector>

#include "common/body/brick_lattice.h"

namespace firn {

/// Rows run along x. A node is inside where the surface winds around it, so that a surface that crosses itself has no
/// holes. Which row a triangle crosses is decided with the same numbers for both triangles of an edge: a row never
/// leaks, whatever the rounding.
class WindingRows {
public:
    /// Triangles are counter-clockwise seen from outside.
    WindingRows(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles, const BrickLattice& lattice);

    bool isInside(const Vec3i& node) const;

    /// Volume of the voxels whose node is inside, m^3.
    double volumeInside_m3() const;

private:
    struct Crossing {
        double x;   // in voxels from the lattice's origin
        int winds;  // 1 where the row enters the surface, -1 where it leaves
    };

    std::size_t rowOf(int y, int z) const { return y + m_rows.x() * static_cast<std::size_t>(z); }

    BrickLattice m_lattice;
    Eigen::Vector2i m_rows;            // along y and z
    std::vector<std::size_t> m_first;  // of row r, the crossings m_first[r] .. m_first[r + 1] - 1, with x increasing
    std::vector<Crossing> m_crossings;
};

}  // namespace firn
