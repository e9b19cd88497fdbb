#pragma once
// Closed meshes as shapes: their level sets are made brick by brick, where they are asked for.

#include <memory>
#include <string>

#include "common/body/key_level.h"
#include "common/body/mesh.h"
#include "common/body/shape.h"

namespace firn {

struct LevelSetOptions {
    double voxel_m = 0.01;
    double band_m = 0.06;         // how far from the surface distances are known, on both sides
    std::string source = "mesh";  // for error messages
};

/// The level set of a closed mesh; its mesh() is the given mesh. Distances are interpolated trilinearly. Beyond the
/// band their sign is right, and the gradient points away from the middle of the bounds. Throws Error(Usage) if there
/// would be too many voxels, or if walls are so much thinner than a voxel that they vanish.
std::shared_ptr<const Shape> makeLevelSet(TriangleMesh mesh, const LevelSetOptions& options);

/// The same for a mesh without thin walls, such as a terrain, and for voxels of any size.
std::shared_ptr<const Shape> makeUncheckedLevelSet(std::shared_ptr<const TriangleMesh> mesh,
                                                   const KeyLevelOptions& options);

/// The same for a mesh that nothing collides with: it may be thin, open and kilometres large. Nothing is inside an open
/// one. Voxels are no smaller than finestVoxel_m() says, and the band is at least 4 voxels wide.
std::shared_ptr<const Shape> makeBackdropLevelSet(TriangleMesh mesh, double voxel_m, double band_m);

/// The smallest voxels whose bricks, also those that are never made, fit into memory, m.
double finestVoxel_m(const TriangleMesh& mesh);

}  // namespace firn
