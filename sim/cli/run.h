#pragma once
// firn-sim run: simulates a shot into a cache folder, or goes on where an earlier run stopped.

#include "common/error.h"
#include "sim/cli/options.h"

namespace firn {

/// Done, or Stopped when a signal asked for it and a checkpoint was written. Throws Error.
ExitCode run(const RunOptions& options);

}  // namespace firn
