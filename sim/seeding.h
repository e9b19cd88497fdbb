#pragma once
// Fills the scene's snow regions with particles, at the places of common/snow/region.h. Still regions have none here.

#include <string>
#include <vector>

#include "common/snow/moving_window.h"
#include "common/snow/region.h"
#include "sim/particles.h"

namespace firn {

/// Particles at the scene's start, by region and cell, without those that wait for the window
/// or come from a source. Volume is that of a cell
/// over particles per cell; mass follows from the region's density. Appends to `remarks` what the user should look at:
/// regions that share places, and regions of few particles. Throws Error(Usage) when a region holds none.
Particles seed(const Scene& scene, const std::vector<Body>& bodies, const MovingWindow& window,
               std::vector<std::string>& remarks);

/// Particles at the seeds of a region, in their order, without number. Empties the slabs of `seeds` as it goes.
Particles particlesAt(const Region& region, int material, const Solver& solver, Seeds& seeds, bool variedStrength);

/// Adds the columns that a transfer needs. C of regions that start with a spin is the matrix of omega x.
void startTransfer(const Scene& scene, Particles& particles);

/// A lower bound of the mass of all particles that a scene can have, kg.
double lightestMass(const Scene& scene);

/// How many particles a region with a source brings until the scene ends, were no body in the way.
std::size_t countFromSource(const Scene& scene, std::size_t region);

/// How many particles there would be in the end, were no body in the way; none is no error. For forecasts.
std::size_t countParticles(const Scene& scene);

}  // namespace firn
