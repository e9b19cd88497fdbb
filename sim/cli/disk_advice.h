#pragma once

#include <string>

#include "sim/cli/options.h"

namespace firn {

/// What to do when the disk is full: the files that are complete stay, and a run continues from them. A run with
/// --force replaces the old cache only when it has its first frame.
std::string diskAdvice(const RunOptions& options, const Scene& scene);

}  // namespace firn
