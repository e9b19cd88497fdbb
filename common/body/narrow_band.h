#pragma once
// Sampled signed distances of a closed mesh: a grid of bricks of 8^3 cells, of which only those near the surface hold
// values. OpenVDB makes the distances and is used in narrow_band.cpp only.

#include <array>
#include <cstdint>
#include <vector>

#include "common/body/brick_lattice.h"
#include "common/body/mesh.h"

namespace firn {

struct NarrowBand {
    static constexpr std::int32_t outsideBrick = -1;
    static constexpr std::int32_t insideBrick = -2;
    using Brick = std::array<float, BrickLattice::nodesOfBrick>;  // distances (m), x fastest

    BrickLattice lattice;
    std::vector<std::int32_t> table;  // of all bricks: index into `values`, outsideBrick or insideBrick
    std::vector<Brick> values;
    float outside = 0, inside = 0;  // the distances beyond the band, m

    /// Volume of the voxels whose centre is inside, m^3.
    double volumeInside() const;
};

/// Distances up to `band_m` outside the surface (at least two voxels) and twice as far inside. The band is empty,
/// without bricks, if the mesh is too small for the voxels.
NarrowBand makeNarrowBand(const TriangleMesh& mesh, double voxel_m, double band_m);

}  // namespace firn
