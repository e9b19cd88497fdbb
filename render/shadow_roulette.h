#pragma once
// Which shadow rays towards a light are worth tracing. Deep in snow hardly any are: at an optical radius of 72, a fifth
// of all collisions receive 99.8 % of the sunlight. A table holds the approximate optical depth from every voxel to the
// light. It gives each shadow ray a probability, and the rays that are traced count for the others: the mean does not
// depend on the table.

#include <vector>

#include "render/lanes.h"
#include "render/lights.h"
#include "render/volume.h"

namespace firn {

class ShadowRoulette {
public:
    /// For a light without a middle, and in a homogeneous volume, there is no table: all shadow rays are traced. Keeps
    /// a reference to the volume.
    ShadowRoulette(const Volume& volume, const Light& light);

    /// Probabilities in (0, 1] with which to trace shadow rays from points of the volume (world space, m), in the lanes
    /// of `lanes`.
    Floats probabilities(Floats x, Floats y, Floats z, Ints lanes) const;

    /// The table's optical depth there, at most `deepest`; 0 without a table.
    float opticalDepth(const Vec3f& world) const;

    static constexpr float deepest = 10;

private:
    /// The table has a value for every voxel, or for every second one where voxels are finer than free paths.
    static constexpr int fineCells = Bricks::cells, coarseCells = Bricks::cells / 2;

    const Volume* m_volume;
    int m_cells = fineCells;      // of a brick in the table
    std::vector<float> m_depths;  // (m_cells + 1)^3 of each of the volume's bricks, z fastest
};

/// One for each of lights.sampled(), in their order.
std::vector<ShadowRoulette> makeShadowRoulettes(const Volume& volume, const Lights& lights);

}  // namespace firn
