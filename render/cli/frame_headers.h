#pragma once
// What the films and pictures of a run's frames say of where they come from.

#include <string>

#include "render/cli/film_header.h"
#include "render/cli/frames_options.h"

namespace firn {

class LayerDenoiser;
class PlacedCamera;

/// What is the same for all frames of a run. All of it outlives FrameHeaders.
struct HeaderInput {
    const FramesJob& job;
    const Scene& scene;
    const std::string& scene_text;  // pictureText()
    const std::string& scene_hash;
    const std::string& rest;  // checksum of the snow at rest
    const LayerDenoiser& denoiser;
};

class FrameHeaders {
public:
    explicit FrameHeaders(const HeaderInput& input);

    /// As far as it is known before the frame is rendered. Throws Error(File) if the cache lacks the frame.
    FilmHeader planned(int frame) const;

    /// With the metadata of the picture. `isCached`: whether the frame has a light cache.
    FilmHeader rendered(int frame, const PlacedCamera& camera, double voxel_m, bool isCached) const;

private:
    std::string keyOf(const std::string& snow) const;

    HeaderInput m_input;
    std::string m_sceneValues;  // those that decide about a picture
};

}  // namespace firn
