#pragma once
// The metadata of the EXR of a frame. They do not depend on when, how fast or on how many threads it was rendered.

#include <string>
#include <vector>

#include "common/image/image.h"
#include "common/scene/scene.h"
#include "render/cli/sample_ranges.h"
#include "render/frame.h"

namespace firn {

class PlacedCamera;

/// What does not depend on the samples. "firn.…": program, scene, scene_hash, cache_scene_hash (of the rendered frame
/// of the cache), take (of a wedge: its name and settings), scene_toml, frame, time_s, fps,
/// filter_radius_px, transport (paths or cached), max_bounces (0 = unlimited), extinction_m2_per_kg and
/// albedo (of each region of snow, if they differ), anisotropy, voxel_m, view and exposure (of the PNG),
/// focal_length_mm, sensor_width_mm; and worldToCamera, worldToNDC and framesPerSecond, which are standard attributes
/// of OpenEXR. With render.mattes, also what a Cryptomatte needs.
Metadata shotMetadata(const Scene& scene, const PlacedCamera& camera, int frame, double voxel_m);

/// Whether the picture has the layers of a Cryptomatte.
bool hasMattes(const Metadata& metadata);

/// Adds what the samples tell: seed (of several, each), spp (their mean), samples (which ones), noise (mean relative
/// standard error), collisions_per_path, capped_share (share of the paths that max_bounces ended; with albedo 1 the
/// greatest share of the snow's light that is lost).
void addSampleMetadata(Metadata& metadata, const FrameState& state, const std::vector<SampleRange>& samples);

}  // namespace firn
