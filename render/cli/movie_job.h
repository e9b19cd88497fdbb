#pragma once
// firn-render movie: a sequence as a flipbook.

#include <filesystem>
#include <string>

#include "common/error.h"

namespace firn {

struct MovieJob {
    std::filesystem::path folder;
    std::filesystem::path out;
    std::string frames;  // "" = all
    double fps = 0;      // 0: as the pictures say
    int width = 0;       // at most, pixels; 0: as they are
};

/// Tells the path of what was written on stdout. Throws Error: Usage for names and frames, File for pictures that are
/// missing (all are named), damaged or of several sizes, Failed with what ffmpeg said when it fails.
ExitCode makeMovie(const MovieJob& job);

}  // namespace firn
