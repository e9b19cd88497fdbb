#pragma once

#include <filesystem>

namespace firn {

/// The folder share/firn of the installation, of which the program is in bin or in lib/firn/INSTRUCTIONS, or of the
/// build tree. Empty if there is none.
std::filesystem::path dataFolder();

}  // namespace firn
