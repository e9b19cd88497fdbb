#pragma once
// firn-sim run: simulates a shot into a cache folder, or continues where an earlier run stopped.

#include <string>
#include <vector>

#include "common/error.h"
#include "sim/cli/options.h"

namespace firn {

/// Frames to write, ascending; for "" all of the scene. Throws Error(Usage) for a frame that the scene does not have.
std::vector<int> framesToWrite(const Scene& scene, const std::string& range);

/// Returns Done, or Stopped when a signal asked for it and a checkpoint was written. Throws Error.
ExitCode run(const RunOptions& options);

}  // namespace firn
