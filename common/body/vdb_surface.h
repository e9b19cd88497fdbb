#pragma once
// Reads the surface of a level set from a VDB file of another program.

#include <filesystem>
#include <vector>

#include "common/body/mesh.h"

namespace firn {

struct VdbSurface {
    TriangleMesh mesh;  // zero surface in the units and axes of the file; may face inwards
    double voxel = 0;   // in units of the file
};

/// Takes the float grid of class level set that is called "surface", or the first one if none is.
/// Throws Error: File when the file cannot be read or is damaged; Usage when it has no such grid.
VdbSurface readVdbSurface(const std::filesystem::path& file);

/// A surface, and the velocities of its vertices where the file has them.
struct VdbKey {
    VdbSurface surface;
    std::vector<Vec3f>
        velocities;  // of the vertices, in the units and axes of the file, per second; none without a grid
};

/// The velocities are those of a grid of float vectors called "vel", "v" or "velocity", interpolated trilinearly; a
/// staggered grid is read as such. Throws what readVdbSurface throws, and Error(Usage) for a grid of another type.
VdbKey readVdbKey(const std::filesystem::path& file);

}  // namespace firn
