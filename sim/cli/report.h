#pragma once
// firn-sim report: one HTML page about a simulation, or about two side by side. It needs no network.

#include <filesystem>
#include <vector>

#include "common/error.h"
#include "sim/cli/options.h"

namespace firn {

/// Writes the page and prints its path. Frames whose points file is missing or damaged have no preview; returns
/// ExitCode::File if a listed file is missing or damaged. Throws Error(File) for a folder without a cache and for
/// damaged statistics.
ExitCode report(const ReportOptions& options);

}  // namespace firn
