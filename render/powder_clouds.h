#pragma once
// The structure of puffs of powder. A puff of the simulation is an even ball. The air in it is turbulent, so it is
// drawn as a few smaller balls of uneven mass, which move and grow with it.

#include <span>
#include <vector>

#include "render/snow_optics.h"
#include "render/snow_particles.h"

namespace firn {

/// A part of a puff: a ball of powder.
struct PowderCloud {
    Vec3d position_m;
    float radius_m;
    float mass_kg;  // of snow of the first region that is as opaque
};

/// The clouds of all puffs, in the order of the puffs. Where those of a puff are is a function of its id. They have its
/// mass and its centre of mass; on average over many puffs, they spread as far.
std::vector<PowderCloud> powderClouds(const PowderPuffs& puffs, std::span<const SnowOptics> optics);

}  // namespace firn
