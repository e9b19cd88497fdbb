#pragma once
// firn-render info: what an EXR, or a folder of them, holds, and whether it is whole.

#include "render/cli/program.h"

namespace firn {

Command infoCommand(CLI::App& program);

}  // namespace firn
