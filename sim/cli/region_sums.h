#pragma once
// What the snow regions of a scene hold after seeding.

#include <cstddef>
#include <string>
#include <vector>

#include "common/cache/particle_frame.h"
#include "common/scene/scene.h"

namespace firn {

struct RegionSum {
    std::string name;
    std::string preset;
    std::size_t particles = 0;
    double mass_kg = 0;
    Box3d bounds;  // of the particles, m
};

/// One entry for each region that is simulated, in the order of the scene.
std::vector<RegionSum> regionSums(const Scene& scene, const ParticleSource& particles);

}  // namespace firn
