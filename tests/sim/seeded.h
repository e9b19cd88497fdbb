#pragma once
// The particles of a region or a scene as tests of seeding see them.

#include <cmath>

#include "sim/seeding.h"
#include "tests/sim/snow_scene.h"

namespace firn::seeding {

constexpr double dx = 0.02;

inline Particles seeded(const Scene& scene, const std::vector<Body>& bodies)
{
    std::vector<std::string> remarks;
    return seed(scene, bodies, MovingWindow(scene, bodies), remarks);
}

inline Particles seeded(const Scene& scene) { return seeded(scene, makeBodies(scene)); }

inline Particles seeded(const SnowRegion& region)
{
    Scene scene = emptyScene(dx);
    scene.snow = {region};
    return seeded(scene);
}

/// Four standard deviations of the count for a region with this surface: exceeded by chance in 1 of 16000 regions.
inline double countTolerance(double surface_m2, int ppc = 8) { return 2 * std::sqrt(ppc * surface_m2 / (dx * dx)); }

}  // namespace firn::seeding
