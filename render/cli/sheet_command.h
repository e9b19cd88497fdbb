#pragma once
// firn-render sheet.

#include "render/cli/program.h"

namespace firn {

Command sheetCommand(CLI::App& program);

}  // namespace firn
