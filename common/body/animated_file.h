#pragma once
// Reads animated meshes.

#include <filesystem>
#include <string>

#include "common/body/file_content.h"

namespace firn {

/// Whether the file's extension is one that readAnimatedFile reads: .glb, .gltf or .fbx.
bool isAnimatedFile(const std::filesystem::path& file);

/// What a file must have for its use.
enum class FileNeeds { Mesh, Camera };

/// Reads a file with the library assimp, in a process of its own. Buffers of a .gltf may lie in its folder or below.
/// Throws Error: File when it cannot be read or is damaged; Usage when it has no mesh of triangles although one is
/// needed, or a skin whose weights do not sum to one. `source` begins each message.
AnimatedFile readAnimatedFile(const std::filesystem::path& file, const std::string& source,
                              FileNeeds needs = FileNeeds::Mesh);

}  // namespace firn
