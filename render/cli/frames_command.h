#pragma once
// firn-render frames: one EXR and one PNG per frame of a cache.

#include "render/cli/program.h"

namespace firn {

Command framesCommand(CLI::App& program);

}  // namespace firn
