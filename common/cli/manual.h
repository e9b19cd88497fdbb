#pragma once
// What other programs read about the command line, from the same tables as the help: a page for man(1), and a script
// with which bash completes arguments.

#include <string>

#include "common/cli/command.h"

namespace firn {

/// The manual page of the program, section 1, as troff with the macros of man(7).
std::string manualPage(const Program& program, const std::string& version);

/// A script that bash reads ("Programmable Completion" in its manual): it completes the commands, their options, the
/// choices of options, and names of files and folders.
std::string bashCompletion(const Program& program);

}  // namespace firn
