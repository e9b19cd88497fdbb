#pragma once
// What render_stats.jsonl and the progress lines say of a written picture.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "render/cli/picture_output.h"
#include "render/shot.h"

namespace firn {

/// What render_stats.jsonl says of a picture, as far as its film and its files tell.
nlohmann::json pictureRecord(const FilmHeader& header, const FrameState& state, const MadePicture& made,
                             const WrittenPicture& written);

/// What is known of a frame where it is rendered.
struct FrameFacts {
    double time_s = 0;  // of the shot
    double seconds_preparing = 0, seconds_light_cache = 0;
    std::size_t light_cache_cells = 0, particles = 0, voxels = 0;
    ShotFrame::Detail detail;
    std::string denoiser;  // as LayerDenoiser::name()
    std::string scene_hash;
};

struct FrameRecord {
    std::string line;     // of render_stats.jsonl, without its newline
    std::string summary;  // for people
};

/// pictureRecord() with the facts of the frame. `seconds`: of the whole frame.
FrameRecord frameRecord(const FilmHeader& header, const FrameState& state, const MadePicture& made,
                        const WrittenPicture& written, const FrameFacts& facts, double seconds);

}  // namespace firn
