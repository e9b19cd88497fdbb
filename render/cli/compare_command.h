#pragma once
// firn-render compare: how much, and where, pictures differ.

#include "render/cli/program.h"

namespace firn {

Command compareCommand(CLI::App& program);

}  // namespace firn
