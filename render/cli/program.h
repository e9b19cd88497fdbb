#pragma once
// firn-render from its command line. Each command is in a file of its own, <name>_command.cpp.

#include "common/cli/program.h"

namespace firn {

Command compareCommand();
Command checkCommand();
Command denoiseCommand();
Command mergeCommand();
Command framesCommand();
Command infoCommand();
Command movieCommand();
Command playblastCommand();
Command sheetCommand();
Command usdCommand();
Command viewCommand();
Command volumeCommand();

Program renderProgram();

}  // namespace firn
