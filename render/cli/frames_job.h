#pragma once
// The work of firn-render frames.

#include "common/error.h"
#include "render/cli/frames_options.h"

namespace firn {

/// For each frame writes OUT/<shot>.####.exr and .png and a line in OUT/render_stats.jsonl. Several runs may share OUT,
/// each with its own frames. If the cache is a wedge's folder, every take is rendered to OUT/<take>. Returns Done, or
/// Stopped after a signal; the frame that was being rendered is then in its film
/// (picture_layout.h). Throws Error(Usage) for the scene, the
/// options, or a cache of another scene, and Error(File) for frames that are missing (all are named before the first is
/// rendered), damaged, or cannot be written.
ExitCode renderFrames(const FramesJob& job);

}  // namespace firn
