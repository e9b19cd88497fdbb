#pragma once
// The options of firn-render frames.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "common/io/progress.h"
#include "common/scene/load.h"

namespace firn {

/// What is not given is as in the scene.
struct FramesJob {
    std::filesystem::path shot;
    SceneOptions scene_options;
    std::filesystem::path cache;
    std::filesystem::path out;
    std::string take;    // takeText() of the take of a wedge that is rendered; "" otherwise
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
    bool preview = false;                    // show the picture while it is rendered
    bool raw_preview = false;                // the PNG shows the picture with its noise
    std::string samples;                     // "0-31": only these samples of each pixel; "" = all
    bool keep_film = false;                  // keep the sums of samples, for firn-render merge
    double checkpoint_minutes = 5;           // between checkpoints of a frame; 0 = only when stopped
    std::filesystem::path light_caches;      // folder that keeps them; "": none is kept
    bool resume = false;                     // go on with what an earlier run left
    bool skip_existing = false;
    bool force = false;
    int threads = 0;
    ProgressMode progress = ProgressMode::Auto;
};

}  // namespace firn
