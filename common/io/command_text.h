#pragma once
// Paths in commands that messages show.

#include <filesystem>
#include <string>

namespace firn {

/// The path as a shell takes it: in double quotes if it has spaces or other characters that mean something to a shell.
std::string shellPath(const std::filesystem::path& path);

}  // namespace firn
