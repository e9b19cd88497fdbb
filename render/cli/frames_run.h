#pragma once
// Renders the frames of one cache folder: what `firn-render frames` does for each take.

#include "common/error.h"
#include "render/cli/frames_options.h"

namespace firn {

/// `loaded` is the scene with the job's options about pictures. Results and errors as of renderFrames().
ExitCode renderCache(const FramesJob& job, const LoadedScene& loaded);

}  // namespace firn
