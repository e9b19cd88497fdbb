#pragma once
// A grid of nodes in bricks of 8^3 cells, and trilinear interpolation in a brick.

#include <array>
#include <cstdint>

#include "common/math.h"

namespace firn {

struct BrickLattice {
    static constexpr int brickCells = 8;               // per axis
    static constexpr int brickNodes = brickCells + 1;  // neighbours share a layer, so no cell is split between bricks
    static constexpr int nodesOfBrick = brickNodes * brickNodes * brickNodes;

    Vec3d origin = Vec3d::Zero();  // of node (0, 0, 0), m
    double voxel_m = 1;
    Vec3i bricks = Vec3i::Zero();  // per axis

    std::size_t brickCount() const
    {
        return static_cast<std::size_t>(bricks.x()) * static_cast<std::size_t>(bricks.y()) *
               static_cast<std::size_t>(bricks.z());
    }
    std::size_t indexOf(const Vec3i& brick) const
    {
        return brick.x() +
               static_cast<std::size_t>(bricks.x()) * (brick.y() + static_cast<std::size_t>(bricks.y()) * brick.z());
    }
    Vec3d nodePosition(const Vec3i& node) const { return origin + voxel_m * node.cast<double>(); }

    /// The node with a number in a brick, x fastest.
    static Vec3i nodeOf(int number)
    {
        return {number % brickNodes, number / brickNodes % brickNodes, number / (brickNodes * brickNodes)};
    }
};

/// A point of a lattice: its brick, the lower node of its cell, and its place in the cell.
struct LatticePlace {
    static constexpr std::size_t nowhere = ~std::size_t{0};
    std::size_t brick = nowhere;
    int node = 0;  // number in the brick
    Vec3d share = Vec3d::Zero();
};

inline LatticePlace placeIn(const BrickLattice& lattice, const Vec3d& point)
{
    constexpr int cells = BrickLattice::brickCells, nodes = BrickLattice::brickNodes;
    const Vec3d at = (point - lattice.origin) / lattice.voxel_m;
    const Vec3d limit = (cells * lattice.bricks).cast<double>();
    if (!((at.array() >= 0).all() && (at.array() < limit.array()).all())) return {};
    const Vec3i cell = at.cast<int>(), brick = cell / cells, node = cell - cells * brick;
    return {lattice.indexOf(brick), node.x() + nodes * (node.y() + nodes * node.z()), at - cell.cast<double>()};
}

/// The value at a place, from its cell's lower node `v`, and the gradient per voxel.
inline double trilinear(const float* v, const Vec3d& share, Vec3d& gradient)
{
    constexpr int dy = BrickLattice::brickNodes, dz = dy * dy;
    const Vec3d& f = share;
    // Along x first: values and slopes on the cell's four edges, then along y, then along z.
    const auto mix = [](double a, double b, double t) { return a + t * (b - a); };
    const double v00 = mix(v[0], v[1], f.x()), v10 = mix(v[dy], v[dy + 1], f.x());
    const double v01 = mix(v[dz], v[dz + 1], f.x()), v11 = mix(v[dz + dy], v[dz + dy + 1], f.x());
    const double v0 = mix(v00, v10, f.y()), v1 = mix(v01, v11, f.y());
    gradient.x() = mix(mix(v[1] - v[0], v[dy + 1] - v[dy], f.y()),
                       mix(v[dz + 1] - v[dz], v[dz + dy + 1] - v[dz + dy], f.y()), f.z());
    gradient.y() = mix(v10 - v00, v11 - v01, f.z());
    gradient.z() = v1 - v0;
    return mix(v0, v1, f.z());
}

}  // namespace firn
