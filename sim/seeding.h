#pragma once
// Fills the scene's snow regions with particles, at the places of common/snow/region.h. Still regions have none here.

#include <string>
#include <vector>

#include "common/body/body.h"
#include "sim/particles.h"

namespace firn {

/// Particles at the scene's start, by region and cell. Volume is that of a cell over particles per cell; mass follows
/// from the region's density. Appends to `remarks` what the user should look at: regions that share places, and regions
/// of few particles. Throws Error(Usage) when a region holds none.
Particles seed(const Scene& scene, const std::vector<Body>& bodies, std::vector<std::string>& remarks);

/// How many particles there would be, were no body in the way; none is no error. For forecasts.
std::size_t countParticles(const Scene& scene);

}  // namespace firn
