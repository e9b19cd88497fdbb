#pragma once
// Reading scene text: bounded, and parsed with errors that name the place.

#include <filesystem>
#include <string>

#include "common/scene/builder.h"
#include "common/scene/toml.h"

namespace firn {

/// The content of a regular file of at most 1 MiB. Throws Error(File) at `where`.
std::string readSceneText(const std::filesystem::path& file, const Origin& where);

/// Throws Error(Usage) with line and column for text that is not TOML or nests keys deeper than 16.
toml::table parseToml(const std::string& text, const Source& source);

/// `path` as a scene in `folder` means it: complete, inside of the folder with symbolic links followed unless
/// `allow_outside`, and an existing regular file. Throws Error(Usage or File) at `where`.
std::filesystem::path resolveReferenced(const std::filesystem::path& path, const std::filesystem::path& folder,
                                        bool allow_outside, const Origin& where);

}  // namespace firn
