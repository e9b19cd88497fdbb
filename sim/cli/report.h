#pragma once
// firn-sim report: one HTML page of a simulation, or of two side by side. Works from disk without a network.

#include <filesystem>
#include <vector>

#include "common/error.h"
#include "sim/cli/options.h"

namespace firn {

/// Writes the page; tells its path on stdout. Frames whose points file is missing or damaged have no preview. Throws
/// Error(File) for a folder without a cache and for damaged statistics.
ExitCode report(const ReportOptions& options);

}  // namespace firn
