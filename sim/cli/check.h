#pragma once
// firn-sim check: validates a shot and forecasts what a run needs, from three substeps. Writes nothing.

#include "common/error.h"
#include "sim/cli/options.h"

namespace firn {

/// Prints to stdout. Throws Error.
ExitCode check(const CheckOptions& options);

}  // namespace firn
