#pragma once
// Outputs that the user names (sheets, movies, pages, difference maps) replace a file only if Firn wrote it.

#include <filesystem>
#include <string_view>

namespace firn {

/// Text that such outputs contain in their first or last 64 kB: in a comment of the format's own.
inline constexpr std::string_view makerMark = "Made by Firn";

/// Whether the file contains makerMark.
bool isMarked(const std::filesystem::path& path);

/// Throws Error(File) when `path` exists and is not marked.
void requireReplaceable(const std::filesystem::path& path);

}  // namespace firn
