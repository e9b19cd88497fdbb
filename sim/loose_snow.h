#pragma once
// Which particles are loose: in the air, with few others near.

#include <vector>

#include "common/leaf_key.h"
#include "sim/air.h"
#include "sim/particles.h"

namespace firn {

struct LooseParticle {
    std::uint32_t particle = 0;
    double looseness = 0;        // 0 to 1
    Vec3d wind = Vec3d::Zero();  // around it, m/s
    double speed = 0;            // through the wind, m/s
};

/// The particles that are loose and that move through the air, by number. Looseness is 1 where the density of the
/// 2 x 2 x 2 cells around a particle is at most 20 % of its own at rest, and 0 from 60 % on. It is half at a surface.
std::vector<LooseParticle> looseSnow(const Particles& particles, const AirFlow& air, double h, double time_s);

/// The key of the cell, `edge` cells of the grid wide, that holds a particle.
LeafKey coarseCellKey(const Particles& particles, std::size_t p, int edge);

/// The velocity that moves a particle, m/s.
Vec3d motionOf(const Particles& particles, std::size_t p);

}  // namespace firn
