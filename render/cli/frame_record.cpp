#include "render/cli/frame_record.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/io/json.h"

namespace firn {

namespace {

std::string percent(const nlohmann::json& number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * number.get<double>());
    return text;
}

std::string summaryOf(const nlohmann::json& record)
{
    const double paths = std::max(1.0, record["paths"].get<double>());
    std::string noise = record["noise"].is_number() ? percent(record["noise"]) : "unknown (needs 2 spp)";
    if (record["noise_denoised"].is_number()) noise += " (denoised " + percent(record["noise_denoised"]) + ")";
    char text[160];
    std::snprintf(text, sizeof text, "frame %d  %.1f s  %d spp  noise %s  %.0f collisions per path",
                  record["frame"].get<int>(), record["seconds"].get<double>(), record["spp"].get<int>(), noise.c_str(),
                  record["collisions"].get<double>() / paths);
    return text;
}

}  // namespace

nlohmann::json pictureRecord(const FilmHeader& header, const FrameState& state, const MadePicture& made,
                             const WrittenPicture& written)
{
    const auto finiteOrNull = [](double value) {
        return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
    };
    const auto file = [](const WrittenFile& of) -> nlohmann::json {
        return {{"path", of.path.filename().string()}, {"bytes", of.bytes}, {"checksum", of.checksum}};
    };
    return {{"frame", header.frame},
            {"key", header.key},
            {"seconds_tracing", state.seconds},
            {"seconds_denoising", made.seconds_denoising},
            {"width", state.film.window().width},
            {"height", state.film.window().height},
            {"spp", state.spp()},
            {"noise", finiteOrNull(state.film.noise())},
            {"noise_denoised", finiteOrNull(made.noise_denoised)},
            {"paths", state.film.counts.paths},
            {"collisions", state.film.counts.collisions},
            {"capped", state.capped()},
            {"files", {file(written.exr), file(written.png)}}};
}

FrameRecord frameRecord(const FilmHeader& header, const FrameState& state, const MadePicture& made,
                        const WrittenPicture& written, const FrameFacts& facts, double seconds)
{
    nlohmann::json record = pictureRecord(header, state, made, written);
    record.update({{"time_s", facts.time_s},
                   {"seconds", seconds},
                   {"seconds_preparing", facts.seconds_preparing},
                   {"seconds_light_cache", facts.seconds_light_cache},
                   {"denoiser", facts.denoiser},
                   {"light_cache_cells", facts.light_cache_cells},
                   {"particles", facts.particles},
                   {"voxels", facts.voxels},
                   {"finest_voxel_m", facts.detail.finest_voxel_m},
                   {"voxel_pixels", facts.detail.voxel_pixels},
                   {"scene_hash", facts.scene_hash}});
    return {jsonText(record), summaryOf(record)};
}

}  // namespace firn
