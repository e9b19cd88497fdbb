#pragma once
// The metadata of the EXR of a frame. They do not depend on when, how fast or on how many threads it was rendered.

#include <string>

#include "common/image/image.h"
#include "common/scene/scene.h"
#include "render/frame.h"

namespace firn {

/// "firn.…": program, scene, scene_hash, frame, time_s, fps, seed, spp, filter_radius_px, noise (mean relative standard
/// error), collisions_per_path, transport (paths or cached), max_bounces (0 = unlimited), capped_share (share of the
/// paths that max_bounces ended; with albedo 1 the greatest share of the snow's light that is lost), extinction_per_m,
/// reference_density_kg_m3, albedo, anisotropy, voxel_m, view and exposure (of the PNG), focal_length_mm,
/// sensor_width_mm; and worldToCamera, which is a standard attribute of OpenEXR.
Metadata frameMetadata(const Scene& scene, const FrameSettings& settings, const PinholeCamera& camera, int frame,
                       const std::string& hash, const FrameResult& result, double voxel_m);

}  // namespace firn
