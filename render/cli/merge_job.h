#pragma once
// The work of firn-render merge.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/error.h"

namespace firn {

struct MergeJob {
    std::vector<std::filesystem::path> films;
    std::filesystem::path out;
    std::string denoiser = "auto";           // denoiserByName()
    std::filesystem::path denoiser_weights;  // findDenoiserWeights()
    bool raw_preview = false;
    std::string format;  // "half", "float"; "" = as the first film
    std::string view;    // "" = as the first film
    std::optional<double> exposure;
    bool force = false;  // replaces a picture of more paths or of another simulation
    int threads = 0;
};

/// Adds the samples of films of one picture: of other seeds, other samples of each pixel, or other crops. Writes the
/// EXR, the PNG and the film of the sum to `out`. The same bits as one run with all samples. Throws Error(Usage) where
/// the films do not show the same picture or share samples, without `force` for a better picture in `out`, and
/// Error(File) for films that cannot be read.
ExitCode mergeFilms(const MergeJob& job);

}  // namespace firn
