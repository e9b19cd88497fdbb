#pragma once
// The work of firn-render volume.

#include "common/error.h"
#include "render/cli/frames_options.h"

namespace firn {

struct VolumeJob {
    FramesJob frames;      // its options about the cache, frames and folder; the others are not used
    double voxel_m = 0;    // 0 = that of the density grid (render.voxel_m)
    std::string up = "y";  // the axis that points up: "y" or "z"
    bool is_float = false;
    bool has_surface = false;
};

/// For each frame writes OUT/<shot>.####.vdb (render/export/vdb_volume.h), with the snow as it is rendered, without
/// motion blur. Returns Done, or Stopped after a signal; complete files stay. Throws as renderFrames().
ExitCode exportVolumes(const VolumeJob& job);

}  // namespace firn
