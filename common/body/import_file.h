#pragma once
// The calls of the library assimp, which reads glTF and FBX files.

#include <filesystem>
#include <string>

#include "common/body/file_content.h"

namespace firn {

/// Reads a file in this process, without checks. A damaged file may crash it; see readAnimatedFile.
AnimatedFile importFile(const std::filesystem::path& file, const std::string& source);

}  // namespace firn
