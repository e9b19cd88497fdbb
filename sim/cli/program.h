#pragma once
// firn-sim from its command line. Each command is in a file of its own, <name>_command.cpp.

#include "common/cli/program.h"

namespace firn {

Command checkCommand();
Command infoCommand();
Command reportCommand();
Command runCommand();
Command wedgeCommand();

Program simProgram();

}  // namespace firn
