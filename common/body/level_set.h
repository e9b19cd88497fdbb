#pragma once
// Shapes whose signed distance is sampled: narrow-band level sets of closed meshes and of VDB files.

#include <filesystem>
#include <memory>

#include "common/body/shape.h"
#include "common/scene/scene.h"

namespace firn {

struct LevelSetOptions {
    double voxel_m = 0.01;
    double band_m = 0.06;         // width of the narrow band outside the surface; inside it is twice as wide
    std::string source = "mesh";  // for error messages
};

/// Level set of a closed mesh; its mesh() is the given mesh. Distances are interpolated trilinearly. Beyond the band
/// the distance is that at the border of the band, and the gradient points away from the middle of the bounds. Throws
/// Error(Usage) if there are too many voxels, or if walls are so much thinner than a voxel that they vanish.
std::shared_ptr<const Shape> makeLevelSet(TriangleMesh mesh, const LevelSetOptions& options);

/// Level set of a mesh that encloses snow, with a band of four voxels.
std::shared_ptr<const Shape> shapeFromMesh(const TriangleMesh& mesh, double voxel_m);

/// Zero surface of a level set in a VDB file, in metres, facing outwards. It takes the float grid of class level set
/// that is called "surface", or the first one if none is. `voxel_m` receives the file's voxel size times `scale`.
/// Throws Error: File when the file cannot be read or is damaged; Usage when it has no such grid.
TriangleMesh loadVdbSurface(const std::filesystem::path& file, double scale, UpAxis upAxis, double& voxel_m);

/// Level set of a VDB file, with the voxel size of the file.
std::shared_ptr<const Shape> shapeFromVdb(const std::filesystem::path& file, double scale);

}  // namespace firn
