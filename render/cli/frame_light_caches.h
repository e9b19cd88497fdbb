#pragma once
// The light caches of a run's frames: made, or taken from the folder that keeps them.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/io/progress.h"
#include "render/cli/frames_options.h"
#include "render/cli/light_cache_store.h"
#include "render/frame.h"

namespace firn {

/// What decides about the bits of light caches, beside the snow. All of it outlives FrameLightCaches.
struct LightCacheInput {
    const FramesJob& job;
    const Scene& scene;
    const std::string& scene_text;  // pictureText()
    const std::string& scene_hash;
    const FrameSettings& settings;
};

class FrameLightCaches {
public:
    FrameLightCaches(const LightCacheInput& input, Progress& progress) : m_input(input), m_progress(progress) {}

    /// Makes the folder of --light-caches. Warns where the scene has no light caches to keep. Throws Error(File).
    void prepare();

    /// The light cache of a frame, where the scene asks for one and can have it; otherwise none. It is incomplete if
    /// `goOn` returned false (light_cache.h). `scene` must outlive it.
    std::unique_ptr<const LightCache> make(const RenderScene& scene, const PlacedCamera& camera, int frame,
                                           const std::function<bool(double)>& goOn);

private:
    std::string describe(int frame, const PixelWindow& window, const LightCacheSettings& settings) const;
    std::unique_ptr<const LightCache> kept(const RenderScene& scene, const LightCacheSettings& settings,
                                           const std::string& description, int frame);

    LightCacheInput m_input;
    Progress& m_progress;
    std::optional<LightCacheStore> m_store;
};

}  // namespace firn
