#pragma once
// The work of firn-render check.

#include "common/error.h"
#include "render/cli/frames_options.h"

namespace firn {

struct CheckJob {
    FramesJob frames;          // what firn-render frames would be given
    bool light_cache = false;  // measure it even if the scene does not ask for it
    bool selftest = false;
    bool json = false;
};

/// Measures the first of the wanted frames with a small number of paths and prints what it will cost and how far it can
/// be trusted. Writes no files. Returns Failed if the self-test finds transport wrong. Throws as renderFrames().
ExitCode checkFrame(const CheckJob& job);

}  // namespace firn
