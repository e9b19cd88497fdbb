#pragma once
// Reads scene text within limits on size and depth, and parses it with errors that tell the place.

#include <filesystem>
#include <string>

#include "common/scene/builder.h"
#include "common/scene/toml.h"

namespace firn {

/// The content of a regular file of at most 1 MiB. Throws Error(File) at `where`.
std::string readSceneText(const std::filesystem::path& file, const Origin& where);

/// Throws Error(Usage) with line and column for text that is not TOML or has a key of more than 16 dots.
toml::table parseToml(const std::string& text, const Source& source);

/// The complete path of a file that a scene in `folder` refers to. The file must exist and be a regular file. Unless
/// `allowOutside` is set, it must also lie inside the folder after symbolic links are followed. Throws Error(Usage or
/// File) at `where`.
std::filesystem::path resolveReferenced(const std::filesystem::path& path, const std::filesystem::path& folder,
                                        bool allowOutside, const Origin& where);

}  // namespace firn
