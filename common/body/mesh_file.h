#pragma once
// Meshes from Wavefront OBJ and Stanford PLY (text and binary): positions and faces, nothing else of the file.

#include <filesystem>
#include <string>

#include "common/body/mesh.h"
#include "common/scene/scene.h"

namespace firn {

/// Reads `file`, multiplies by `scale` (metres per unit of the file), turns `upAxis` to y, splits polygons into
/// triangles and welds vertices at the same position (they keep their numbers of the file). A closed mesh comes out
/// with its triangles facing outwards; whether it must be closed is for the caller to say (checkClosed, mesh.h). Throws
/// Error: File when it cannot be read; Usage, with the line of a text, for what it says.
TriangleMesh loadMesh(const std::filesystem::path& file, double scale, UpAxis upAxis);

/// The two formats, from the file's bytes; positions in the file's units and axes. `file` is for error messages.
TriangleMesh parseObj(const std::filesystem::path& file, const std::string& bytes);
TriangleMesh parsePly(const std::filesystem::path& file, const std::string& bytes);

/// What a file may have at most.
constexpr std::uintmax_t meshFileLimit_bytes = std::uintmax_t{4} << 30;
constexpr long meshElementLimit = 100'000'000;  // vertices, triangles

}  // namespace firn
