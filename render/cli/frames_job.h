#pragma once
// The work of firn-render frames.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "common/error.h"
#include "common/io/progress.h"
#include "common/scene/load.h"

namespace firn {

/// Options. What is not given is as in the scene.
struct FramesJob {
    std::filesystem::path shot;
    SceneOptions scene_options;
    std::filesystem::path cache;
    std::filesystem::path out;
    std::string frames;  // "": all of the cache
    std::optional<int> spp;
    double noise_target = 0;
    double time_limit_s = 0;
    std::string resolution;  // "960x540"
    std::string crop;        // "x,y,width,height"
    std::optional<std::uint64_t> seed;
    std::string format;  // "half", "float"
    std::string view;
    std::optional<double> exposure;
    std::string denoiser = "auto";           // denoiserByName()
    std::filesystem::path denoiser_weights;  // findDenoiserWeights()
    bool raw_preview = false;                // the PNG shows the picture with its noise
    bool skip_existing = false;
    bool force = false;
    int threads = 0;
    ProgressMode progress = ProgressMode::Auto;
};

/// For each frame writes OUT/<shot>.####.exr and .png and a line in OUT/render_stats.jsonl. Several runs may share OUT,
/// each with its own frames. If the cache is a wedge's folder, every take is rendered to OUT/<take>. Returns Done, or
/// Stopped after a signal; the frame that was being rendered is then discarded. Throws Error(Usage) for the scene, the
/// options, or a cache of another scene, and Error(File) for frames that are missing (all are named before the first is
/// rendered), damaged, or cannot be written.
ExitCode renderFrames(const FramesJob& job);

}  // namespace firn
