#include "render/cli/frame_headers.h"

#include <nlohmann/json.hpp>

#include "common/cache/layout.h"
#include "common/cache/points_file.h"
#include "common/io/checksum.h"
#include "common/io/json.h"
#include "render/cli/frame_metadata.h"
#include "render/cli/frame_settings.h"
#include "render/cli/frame_snow.h"
#include "render/cli/path_keys.h"
#include "render/cli/replaced_pictures.h"
#include "render/denoise/denoised_layers.h"

namespace firn {

FrameHeaders::FrameHeaders(const HeaderInput& input)
    : m_input(input), m_sceneValues(jsonText(nlohmann::json(pictureKeys(input.scene_text, "the scene"))))
{
}

/// Of all that decides about the bits of a frame.
std::string FrameHeaders::keyOf(const std::string& snow) const
{
    const FramesJob& job = m_input.job;
    const nlohmann::json options = {FIRN_VERSION,
                                    job.crop,
                                    job.samples,
                                    job.noise_target,
                                    job.time_limit_s,
                                    job.denoiser,
                                    m_input.denoiser.name(),
                                    job.keep_film,
                                    job.raw_preview};
    return checksum(m_sceneValues + jsonText(options) + snow);
}

FilmHeader FrameHeaders::planned(int frame) const
{
    FilmHeader header;
    header.snow = snowChecksum(m_input.job, frame, m_input.rest);
    header.key = keyOf(header.snow);
    header.scene = m_input.scene.name;
    header.frame = frame;
    header.scene_toml = m_input.scene_text;
    header.options = optionTexts(m_input.job, m_input.denoiser.name());
    header.half = m_input.scene.render.half;
    return header;
}

FilmHeader FrameHeaders::rendered(int frame, const PlacedCamera& camera, double voxel_m, bool isCached) const
{
    FilmHeader header = planned(frame);
    header.metadata = shotMetadata(m_input.scene, camera, frame, voxel_m);
    header.metadata["firn.scene_hash"] = m_input.scene_hash;
    header.metadata[snowAttribute] = header.snow;
    header.metadata[simulationAttribute] = sceneHashIn(CacheLayout{m_input.job.cache}.framePath(frame));
    if (!m_input.job.take.empty()) header.metadata[takeAttribute] = m_input.job.take;
    header.metadata["firn.transport"] = std::string(isCached ? "cached" : "paths");
    header.metadata[sceneAttribute] = m_input.scene_text;
    return header;
}

}  // namespace firn
