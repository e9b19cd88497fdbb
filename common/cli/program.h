#pragma once
// The frame of a program with commands: parsing, errors to exit codes, the log, signals.

#include <filesystem>
#include <string>

#include "common/cli/command.h"

namespace firn {

/// Runs the command that the arguments name and returns the exit code of the process. Data go to stdout, messages and
/// errors to stderr. Adds --log-level and --log-file to every command.
int runProgram(const Program& program, int argc, const char* const* argv);

/// The same for main: signals ask for a stop or a status line (common/io/stop.h).
int runMain(const Program& program, int argc, const char* const* argv);

/// Opens the program's log in the folder of a command's output, "<program>.log", unless --log-file names one.
void openLogIn(const std::filesystem::path& folder);

/// "firn-sim: <text>" on stderr, and the text in the log as a warning.
void warn(const std::string& text);

}  // namespace firn
