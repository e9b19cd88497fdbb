#pragma once
// The work of firn-render view.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/error.h"

namespace firn {

struct ViewJob {
    std::vector<std::filesystem::path> pictures;  // EXR files
    std::filesystem::path out;                    // a .png, or a folder
    std::string layer;                            // LayerChoice
    std::string view;                             // viewByName(); empty: as the picture says
    std::optional<double> exposure;               // stops; empty: as the picture says
    std::vector<double> range;                    // least and greatest value, or none
};

/// Writes a layer of each picture as PNG. Throws Error(Usage) for options that contradict each other and for layers
/// that a picture does not have, and Error(File) for files that cannot be read, or replaced because firn-render view
/// did not write them.
ExitCode viewPictures(const ViewJob& job);

}  // namespace firn
