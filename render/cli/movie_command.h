#pragma once
// firn-render movie.

#include "render/cli/program.h"

namespace firn {

Command movieCommand(CLI::App& program);

}  // namespace firn
