#pragma once
// firn-sim wedge: the takes of a shot, each a cache folder of its own below one folder.

#include "common/error.h"
#include "sim/cli/options.h"

namespace firn {

/// Every take is checked before the first is simulated; finished ones are passed over and others gone on with, as by
/// `run --resume`. Done, Stopped by a signal, or Diverged where takes did, the others being simulated all the same.
/// Throws Error.
ExitCode wedge(const WedgeOptions& options);

}  // namespace firn
