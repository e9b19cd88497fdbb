#pragma once
// Density below the size of a particle. Grains (grains.h) give two fields: the share of space that they occupy,
// W(x) = sum V N(x), and mass M(x) = sum m N(x). Snow has the density M / W where it is, and W falls from 1 to 0 over
// the width of a kernel at its border. The border is cut at W = 1/2 and displaced by noise that is fixed to the places
// where snow lay at rest:
//     rho = (M / W) ramp((W - 1/2) + displacement / reach),
// with reach = the distance over which W falls, and a smooth ramp of some pixels. Where voxels are wider than grains,
// the ramp is so wide that rho = M.

#include "render/grain_fields.h"
#include "render/snow_pieces.h"

namespace firn {

/// Density (kg/m^3) at the places. False if it is zero everywhere. `pieces`: those that may be the nearest of a place;
/// none where no snow is sheared.
bool snowDensity(const GrainFields& fields, std::span<const SnowPiece> pieces, const ValuePlaces& places,
                 Bricks::Values& result);

}  // namespace firn
