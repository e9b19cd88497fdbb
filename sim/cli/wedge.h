#pragma once
// firn-sim wedge: simulates the takes of a shot, each into its own cache folder below one folder.

#include "common/error.h"
#include "sim/cli/options.h"

namespace firn {

/// Checks every take before it simulates the first. Skips takes that are complete and continues others, as `run
/// --resume` does. Returns Done, Stopped (by a signal), or Diverged when a take diverged; the other takes are simulated
/// anyway. Throws Error.
ExitCode wedge(const WedgeOptions& options);

}  // namespace firn
