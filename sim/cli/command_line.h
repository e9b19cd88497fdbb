#pragma once

namespace firn {

/// Runs the command that the arguments name; errors are told on stderr. Returns the process exit code.
int runCommandLine(int argc, const char* const* argv);

}  // namespace firn
