#pragma once
// Shapes whose signed distance is sampled: narrow-band level sets of closed meshes.

#include <memory>
#include <string>

#include "common/body/mesh.h"
#include "common/body/shape.h"

namespace firn {

struct LevelSetOptions {
    double voxel_m = 0.01;
    double band_m = 0.06;         // width of the narrow band outside the surface
    std::string source = "mesh";  // for error messages
};

/// Level set of a closed mesh; its mesh() is the given mesh. Distances are interpolated trilinearly. Beyond the band
/// the distance is that at the border of the band, and the gradient points away from the middle of the bounds. Throws
/// Error(Usage) if there are too many voxels, or if walls are so much thinner than a voxel that they vanish.
std::shared_ptr<const Shape> makeLevelSet(TriangleMesh mesh, const LevelSetOptions& options);

/// Throws Error(Usage) if the level set of a mesh would have too many voxels, or the mesh has no triangles.
void checkVoxels(const TriangleMesh& mesh, const LevelSetOptions& options);

/// Throws Error(Usage) if less than half of the mesh's volume remains in voxels: its walls are too thin for them.
void checkWalls(const TriangleMesh& mesh, double found_m3, const LevelSetOptions& options);

}  // namespace firn
