#pragma once
// firn-sim info: what a cache folder, a frame or a checkpoint holds, and whether it is whole.

#include "common/error.h"
#include "sim/cli/options.h"

namespace firn {

/// Prints to stdout; File when something is damaged or missing. Throws Error.
ExitCode info(const InfoOptions& options);

}  // namespace firn
