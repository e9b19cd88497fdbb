#pragma once
// The work of firn-render movie.

#include <filesystem>
#include <string>

#include "common/error.h"

namespace firn {

struct MovieJob {
    std::filesystem::path folder;
    std::filesystem::path out;
    std::string frames;  // "": all
    double fps = 0;      // 0: as the pictures say
    int width = 0;       // greatest, pixels; 0: as the pictures
};

/// Writes the movie and prints its path. Throws Error(Usage) for wrong names and frames, Error(File) for pictures that
/// are missing (all are named), damaged or of several sizes, and Error(Failed) when ffmpeg fails.
ExitCode makeMovie(const MovieJob& job);

}  // namespace firn
