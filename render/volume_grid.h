#pragma once
// From an OpenVDB grid of density to the volume that light is tracked through.

#include <openvdb/openvdb.h>

#include "render/volume.h"

namespace firn {

/// `density` in kg/m^3 with background 0, its transform a translation and one voxel size; extinction is
/// `extinctionPerDensity` (m^2/kg) times density, trilinear between voxels. Majorants hold for blocks of 2^blockShift
/// cells along an edge (0 to 3). Throws Error(Failed) for a transform of another kind and for negative or non-finite
/// densities.
Volume volumeFromGrid(const openvdb::FloatGrid& density, double extinctionPerDensity, int blockShift = 1);

}  // namespace firn
