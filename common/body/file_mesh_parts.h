#pragma once
// The connected parts of a mesh from a file.

#include <vector>

#include "common/body/file_content.h"

namespace firn {

/// The parts of a mesh, each with its own bones' weights. A part whose vertices all follow the same single bone becomes
/// a mesh without bones in the frame of that bone's node.
std::vector<FileMesh> partsOfMesh(const FileMesh& mesh);

}  // namespace firn
