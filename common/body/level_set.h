#pragma once
// Shapes whose signed distance is sampled: narrow-band level sets of closed meshes and of VDB files.

#include <filesystem>
#include <memory>

#include "common/body/shape.h"
#include "common/scene/scene.h"

namespace firn {

struct LevelSetOptions {
    double voxel_m = 0.01;
    double band_m = 0.06;         // distances are kept this far outside the surface, and twice as far inside
    std::string source = "mesh";  // for error messages
};

/// Level set of a closed mesh; `mesh()` gives the mesh back. Trilinear in distance; farther inside than the band the
/// distance is the band's and the gradient points away from the middle of the bounds.
/// Throws Error(Usage): too many voxels, or parts so much thinner than a voxel that the body would vanish.
std::shared_ptr<const Shape> makeLevelSet(TriangleMesh mesh, const LevelSetOptions& options);

/// The same for a mesh that encloses snow: distances within four voxels.
std::shared_ptr<const Shape> shapeFromMesh(const TriangleMesh& mesh, double voxel_m);

/// Zero surface of a level set in a VDB file, facing outwards, in metres: the float grid of class level set that is
/// called "surface", else the first one. `voxel_m` receives the file's voxel size times `scale`.
/// Throws Error: File when it cannot be read or is damaged; Usage when it has no such grid.
TriangleMesh loadVdbSurface(const std::filesystem::path& file, double scale, UpAxis upAxis, double& voxel_m);

/// Level set of a VDB file at the file's own voxel size.
std::shared_ptr<const Shape> shapeFromVdb(const std::filesystem::path& file, double scale);

}  // namespace firn
