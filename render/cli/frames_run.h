#pragma once
// Renders the frames of one cache folder: what `firn-render frames` does for each take.

#include "common/error.h"
#include "render/cli/frames_options.h"

namespace firn {

/// Frames of a cache could not be read. The others are rendered.
struct UnreadableFrames : Error {
    explicit UnreadableFrames(const std::string& message) : Error(ExitCode::File, message) {}
};

/// `loaded` is the scene with the job's options about pictures. Results and errors as of renderFrames().
ExitCode renderCache(const FramesJob& job, const LoadedScene& loaded);

}  // namespace firn
