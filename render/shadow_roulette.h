#pragma once
// Which shadow rays towards a sun are worth tracing. Deep in snow next to none are: at an optical radius of 72, a fifth
// of all collisions receives 99.8 % of the sunlight. A table of the approximate optical depth from every voxel to the
// sun gives each shadow ray a probability, and the traced ones count for the others: the mean does not depend on the
// table.

#include <vector>

#include "render/volume.h"

namespace firn {

class ShadowRoulette {
public:
    /// Towards the centre of a sun. Homogeneous volumes have no table: all shadow rays are traced.
    ShadowRoulette(const Volume& volume, const Vec3f& towardSun);

    /// Probability in (0, 1] with which a shadow ray from a point of the volume (world space, m) is to be traced.
    float probability(const Vec3f& world) const;

    /// The table's optical depth there; at most `deepest`.
    float opticalDepth(const Vec3f& world) const;

    static constexpr float deepest = 10;

private:
    const Volume* m_volume;
    std::vector<Bricks::Values> m_depths;  // of the volume's bricks
};

}  // namespace firn
