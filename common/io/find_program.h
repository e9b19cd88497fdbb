#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace firn {

/// A program in the folders of the environment variable PATH.
std::optional<std::filesystem::path> findProgram(const std::string& name);

/// A program of Firn's: beside the one that runs, in the build tree's folder `buildFolder`, or in PATH.
std::optional<std::filesystem::path> findOwnProgram(const std::string& name, const std::string& buildFolder);

}  // namespace firn
