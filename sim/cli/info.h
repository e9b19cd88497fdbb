#pragma once
// firn-sim info: what a cache folder, a frame or a checkpoint contains, and whether it is damaged.

#include "common/error.h"
#include "sim/cli/options.h"

namespace firn {

/// Prints to stdout. Returns File when a file is damaged or missing. Throws Error.
ExitCode info(const InfoOptions& options);

}  // namespace firn
