#include "render/cli/frame_metadata.h"

#include <algorithm>
#include <cstdio>

namespace firn {

Metadata frameMetadata(const Scene& scene, const FrameSettings& settings, const PinholeCamera& camera, int frame,
                       const std::string& hash, const FrameResult& result, double voxel_m)
{
    const Render& render = scene.render;
    const double time_s = scene.timeOfFrame(frame);
    const double paths = static_cast<double>(std::max<std::uint64_t>(1, result.paths));
    char albedo[80];
    std::snprintf(albedo, sizeof albedo, "%.6g %.6g %.6g", render.albedo.x(), render.albedo.y(), render.albedo.z());
    Metadata metadata = {
        {"firn.program", std::string("firn-render " FIRN_VERSION)},
        {"firn.scene", scene.name},
        {"firn.scene_hash", hash},
        {"firn.frame", frame},
        {"firn.time_s", static_cast<float>(time_s)},
        {"firn.fps", static_cast<float>(scene.fps)},
        {"firn.seed", std::to_string(settings.seed)},
        {"firn.spp", result.spp},
        {"firn.filter_radius_px", static_cast<float>(settings.filter_radius_px)},
        {"firn.collisions_per_path", static_cast<float>(static_cast<double>(result.collisions) / paths)},
        {"firn.max_bounces", render.max_bounces},
        {"firn.transport", result.transport},
        {"firn.capped_share", static_cast<float>(result.capped / paths)},
        {"firn.extinction_per_m", static_cast<float>(render.extinction_per_m)},
        {"firn.reference_density_kg_m3", static_cast<float>(render.reference_density_kg_m3)},
        {"firn.albedo", std::string(albedo)},
        {"firn.anisotropy", static_cast<float>(render.anisotropy)},
        {"firn.voxel_m", static_cast<float>(voxel_m)},
        {"firn.view", render.view},
        {"firn.exposure", static_cast<float>(render.exposure)},
        {"firn.focal_length_mm", static_cast<float>(cameraAt(scene.camera, time_s).focal_length_mm)},
        {"firn.sensor_width_mm", static_cast<float>(scene.camera.sensor_width_mm)},
        {"worldToCamera", camera.worldToCamera()},
    };
    if (result.spp > 1) metadata["firn.noise"] = static_cast<float>(result.noise);
    return metadata;
}

}  // namespace firn
