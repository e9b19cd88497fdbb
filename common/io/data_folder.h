#pragma once

#include <filesystem>

namespace firn {

/// The folder share/firn of the installation or of the build tree: beside the folder of the program, or beside one
/// above it. Empty if there is none.
std::filesystem::path dataFolder();

}  // namespace firn
