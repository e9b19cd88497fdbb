#include "render/cli/frame_light_caches.h"

#include <nlohmann/json.hpp>

#include "common/error.h"
#include "common/io/json.h"
#include "render/cli/frame_settings.h"
#include "render/cli/frame_snow.h"
#include "render/cli/path_keys.h"

namespace firn {

void FrameLightCaches::prepare()
{
    if (m_input.job.light_caches.empty()) return;
    if (m_input.scene.render.transport != "cached") {
        m_progress.warning("--light-caches has no effect: the scene has render.transport = \"paths\"");
        return;
    }
    m_store.emplace(m_input.job.light_caches);
}

std::unique_ptr<const LightCache> FrameLightCaches::make(const RenderScene& scene, const PlacedCamera& camera,
                                                         int frame, const std::function<bool(double)>& goOn)
{
    const Render& render = m_input.scene.render;
    if (render.transport != "cached") return nullptr;
    if (!LightCache::isPossible(scene) || m_input.scene.camera.shutter_deg > 0) {
        m_progress.message("frame " + std::to_string(frame) +
                           ": no light cache is made (it needs snow, a light, no body with emission, "
                           "render.max_bounces = 0 and camera.shutter_deg = 0); paths are traced");
        return nullptr;
    }
    const PixelWindow window = cacheWindow(m_input.job, m_input.settings);
    const LightCacheSettings settings = lightCacheSettings(render, m_input.settings, window);
    if (!m_store) return std::make_unique<const LightCache>(scene, camera, window, settings, goOn);
    const std::string description = describe(frame, window, settings);
    if (auto found = kept(scene, settings, description, frame)) return found;
    auto cache = std::make_unique<const LightCache>(scene, camera, window, settings, goOn);
    if (cache->isComplete()) m_store->keep(description, *cache);
    return cache;
}

/// Everything that decides about the bits of a light cache, as JSON.
std::string FrameLightCaches::describe(int frame, const PixelWindow& window, const LightCacheSettings& settings) const
{
    const auto& [job, scene, text, hash, size] = m_input;
    const nlohmann::json description = {{"format", "firn light cache 3"},
                                        {"program", FIRN_VERSION},
                                        {"scene", pathKeys(text, "the scene")},
                                        {"scene_hash", hash},  // contains the files that the scene names
                                        {"frame", frame},
                                        {"snow", snowChecksum(job, frame, restChecksum(job, scene))},
                                        {"size", {size.width, size.height}},
                                        {"window", {window.x, window.y, window.width, window.height}},
                                        {"cell_m", settings.cell_m},
                                        {"end_depth", settings.end_depth},
                                        {"photons", settings.photons},
                                        {"seed", settings.seed}};
    return jsonText(description);
}

/// The light cache that an earlier run kept.
std::unique_ptr<const LightCache> FrameLightCaches::kept(const RenderScene& scene, const LightCacheSettings& settings,
                                                         const std::string& description, int frame)
{
    const std::string name = "frame " + std::to_string(frame) + ": ";
    auto contents = m_store->find(description, [&](const std::string& text) { m_progress.warning(name + text); });
    if (!contents) return nullptr;
    m_progress.message(name + "uses the light cache of an earlier run");
    return std::make_unique<const LightCache>(scene, settings, std::move(*contents));
}

}  // namespace firn
