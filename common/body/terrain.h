#pragma once
// Ground from a file: an open mesh, such as a scan, or a picture of heights. It becomes a closed solid.

#include <filesystem>
#include <string>
#include <vector>

#include "common/body/mesh.h"
#include "common/scene/scene.h"

namespace firn {

struct TerrainFile {
    std::filesystem::path file;  // .obj, .ply; .exr, .png
    double scale = 1;            // of a mesh: metres per unit of the file
    UpAxis up_axis = UpAxis::Y;  // of a mesh
    Vec3d size = Vec3d::Ones();  // of a picture, m: width along x, height of a value of 1, length along z
    std::string source;          // for error messages
};

struct Terrain {
    TriangleMesh mesh;                 // closed; the part below the surface is solid
    std::vector<std::string> remarks;  // what was left out or closed
};

/// Throws Error: File when the file cannot be read; Usage for wrong content, and for holes that are too large to close.
Terrain loadTerrain(const TerrainFile& file);

/// A surface with y up becomes a solid: walls go down from its borders to a flat underside below the lowest point.
/// Holes inside the surface are closed first, unless one is larger than a tenth of its part. Parts whose bounds are
/// smaller than a tenth of the largest part's are left out. The mesh must be welded.
Terrain solidBelow(TriangleMesh surface, const std::string& source);

/// Heights as triangles, two for each square of four pixels. The middle of the picture is at the origin, its first row
/// at the lowest z, its first column at the lowest x. `heights` are rows of `width` values, in metres; the picture
/// measures size_x_m by size_z_m.
TriangleMesh heightMesh(const std::vector<float>& heights, int width, double size_x_m, double size_z_m);

}  // namespace firn
