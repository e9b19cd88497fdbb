#pragma once
// Shapes from files: closed meshes (.obj, .ply) and level sets (.vdb), for bodies and for regions of snow.

#include <filesystem>
#include <memory>
#include <string>

#include "common/body/shape.h"
#include "common/scene/scene.h"

namespace firn {

/// A file with a closed surface, and how the shape's frame follows from the file's. The axes are turned by `up_axis`,
/// lengths are multiplied by `scale`, the `pivot` becomes the origin, and the shape is rotated about it.
struct SurfaceFile {
    std::filesystem::path file;
    bool is_vdb = false;
    double scale = 1;  // m per unit of the file
    UpAxis up_axis = UpAxis::Y;
    Pivot pivot = Pivot::Origin;
    Vec3d rotation_deg = Vec3d::Zero();
    double voxel_m = 0;        // of the level set; 0 = least_voxel_m, or that of the .vdb where it is larger
    double least_voxel_m = 0;  // m
    double band_m = 0;         // how far from the surface distances are needed; at least four voxels
    bool is_solid = true;      // false: nothing collides with it, so it may be open and thin
    std::string source;        // for error messages
};

/// The level set of the surface. Throws Error: File when the file cannot be read; Usage when its content is wrong, the
/// surface is not closed, or its walls are too thin for the voxels.
std::shared_ptr<const Shape> shapeFromFile(const SurfaceFile& file);

/// Zero surface of a level set in a VDB file, in metres, facing outwards. It takes the float grid of class level set
/// that is called "surface", or the first one if none is. `voxel_m` receives the file's voxel size times `scale`.
/// Throws Error: File when the file cannot be read or is damaged; Usage when it has no such grid, or one with holes.
TriangleMesh loadVdbSurface(const std::filesystem::path& file, double scale, UpAxis upAxis, double& voxel_m);

}  // namespace firn
