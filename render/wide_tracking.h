#pragma once
// Tracking of many rays at once: delta tracking (Woodcock et al. 1965) and ratio tracking (Novak et al. 2014) with
// local majorants. In each block along a ray, tentative collisions occur at the rate of the block's majorant. The walk
// stops at block borders, and what is left of the optical depth is used in the next block, so the result is exact for
// any majorants. What a ray finds does not depend on the other rays.

#include "render/ray_batch.h"
#include "render/volume.h"

namespace firn {

/// Distances to the next collision in voxels, or infinity where a ray reaches t_max; by delta tracking.
void sampleFlights(const Volume& volume, const RayBatch& rays, Column<float>& distances);

/// Unbiased estimates of transmittance up to t_max, by ratio tracking. Below 0.1, Russian roulette ends it.
void estimateTransmittances(const Volume& volume, const RayBatch& rays, Column<float>& transmittances);

}  // namespace firn
