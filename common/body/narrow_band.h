#pragma once
// Sampled signed distances of a closed mesh: a grid of bricks of 8^3 cells, of which only those near the surface hold
// values. OpenVDB makes the distances and is used in narrow_band.cpp only.

#include <array>
#include <cstdint>
#include <vector>

#include "common/body/mesh.h"
#include "common/math.h"

namespace firn {

struct NarrowBand {
    static constexpr int brickCells = 8;               // per axis
    static constexpr int brickNodes = brickCells + 1;  // neighbours share a layer, so no cell is split between bricks
    static constexpr std::int32_t outsideBrick = -1;
    static constexpr std::int32_t insideBrick = -2;
    using Brick = std::array<float, brickNodes * brickNodes * brickNodes>;  // distances (m), x fastest

    Vec3d origin = Vec3d::Zero();  // of node (0, 0, 0), m
    double voxel_m = 1;
    Vec3i bricks = Vec3i::Zero();     // per axis
    std::vector<std::int32_t> table;  // x fastest; index into `values`, outsideBrick or insideBrick
    std::vector<Brick> values;
    float outside = 0, inside = 0;  // the distances beyond the band, m

    /// Volume of the voxels whose centre is inside, m^3.
    double volumeInside() const;
};

/// Distances up to `band_m` outside the surface (at least two voxels) and `inside` times as far inside. The band is
/// empty, without bricks, if the mesh is too small for the voxels.
NarrowBand makeNarrowBand(const TriangleMesh& mesh, double voxel_m, double band_m, double inside);

}  // namespace firn
