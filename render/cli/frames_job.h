#pragma once
// The work of firn-render frames: what the command line asked for, and doing it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "common/error.h"
#include "common/io/progress.h"
#include "common/scene/load.h"

namespace firn {

/// What is not given stays as the scene has it.
struct FramesJob {
    std::filesystem::path shot;
    SceneOptions scene_options;
    std::filesystem::path cache;
    std::filesystem::path out;
    std::string frames;  // "" = all that the cache holds
    std::optional<int> spp;
    double noise_target = 0;
    double time_limit_s = 0;
    std::string resolution;  // "960x540"
    std::string crop;        // "x,y,width,height"
    std::optional<std::uint64_t> seed;
    std::string format;  // "half", "float"
    std::string view;
    std::optional<double> exposure;
    bool raw_preview = false;  // PNG as traced, noise and all
    bool skip_existing = false;
    bool force = false;
    int threads = 0;
    ProgressMode progress = ProgressMode::Auto;
};

/// Renders frame by frame: OUT/<shot>.####.exr and .png, and a line of OUT/render_stats.jsonl. Several runs may share OUT,
/// each with its own frames. Of a wedge's folder every take is rendered, to OUT/<take>. Returns Done or, when stopped
/// by a signal, Stopped; the frame under way is then discarded. Throws Error: Usage for the scene, options, or a cache
/// of another scene; File for frames that are missing (all are named, before the first is rendered), damaged, or cannot
/// be written.
ExitCode renderFrames(const FramesJob& job);

}  // namespace firn
