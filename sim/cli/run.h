#pragma once
// firn-sim run: simulates a shot into a cache folder, or goes on where an earlier run stopped.

#include <string>
#include <vector>

#include "common/error.h"
#include "sim/cli/options.h"

namespace firn {

/// Frames to write, ascending; of "" all. Throws Error(Usage) for one that the scene does not have.
std::vector<int> framesToWrite(const Scene& scene, const std::string& range);

/// Done, or Stopped when a signal asked for it and a checkpoint was written. Throws Error.
ExitCode run(const RunOptions& options);

}  // namespace firn
