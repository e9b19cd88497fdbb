#pragma once
// Reads meshes from Wavefront OBJ and Stanford PLY files (text and binary): positions and faces only.

#include <filesystem>
#include <string>

#include "common/body/mesh.h"
#include "common/scene/scene.h"

namespace firn {

/// Reads `file`, multiplies by `scale` (metres per unit of the file), turns `upAxis` to y, splits polygons into
/// triangles and merges vertices at the same position (weldVertices, mesh.h). The triangles of a closed mesh face
/// outwards afterwards. The caller decides whether the mesh must be closed (checkClosed, mesh.h).
/// Throws Error: File when the file cannot be read; Usage for wrong content, with the line number in a text file.
TriangleMesh loadMesh(const std::filesystem::path& file, double scale, UpAxis upAxis);

/// Parse the bytes of a file; positions keep the units and axes of the file. `file` is used in messages only.
TriangleMesh parseObj(const std::filesystem::path& file, const std::string& bytes);
TriangleMesh parsePly(const std::filesystem::path& file, const std::string& bytes);

/// Limits of the size of a file and of the numbers of its vertices and triangles.
constexpr std::uintmax_t meshFileLimitBytes = std::uintmax_t{4} << 30;
constexpr long meshElementLimit = 100'000'000;  // vertices, triangles

}  // namespace firn
