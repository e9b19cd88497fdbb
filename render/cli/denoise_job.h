#pragma once
// The work of firn-render denoise.

#include <filesystem>
#include <string>
#include <vector>

#include "common/error.h"

namespace firn {

struct DenoiseJob {
    std::vector<std::filesystem::path> pictures;  // EXR files of firn-render frames
    std::filesystem::path out;                    // folder
    std::string denoiser = "auto";                // denoiserByName(), but not "off"
    std::filesystem::path weights;                // findDenoiserWeights()
    int neighbours = 0;                           // frames before and after each picture whose light is used
    bool force = false;                           // replaces pictures of more paths or of another simulation
    int threads = 0;
};

/// Writes each picture with its layers denoised.* to OUT under its own name, and a PNG of them. Throws Error(Usage) for
/// pictures of equal names, for pictures in OUT, and without `force` for better ones there, and Error(File) for
/// pictures that are damaged or lack a layer, naming it. Light of neighbours is used where they are among the pictures
/// and have the same camera (render/denoise/neighbours.h).
ExitCode denoisePictures(const DenoiseJob& job);

}  // namespace firn
