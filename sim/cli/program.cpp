#include "sim/cli/program.h"

namespace firn {
namespace {

constexpr const char* description = R"(firn-sim: simulates snow into a cache of OpenVDB Points files.

Examples:
  firn-sim check scenes/footsteps.toml                       forecast memory, disk and time; writes nothing
  firn-sim run scenes/footsteps.toml --out cache             simulate every frame
  firn-sim run scenes/footsteps.toml --out cache --resume    continue where an earlier run stopped
  firn-sim run shot.toml --out draft --quality draft --set solver.dx=0.04 --frames 1-24
  firn-sim wedge shot.toml --vary snow.0.preset=powder,wet --vary solver.dx=0.04,0.02 --out wedge
  firn-sim info cache                                        what the cache holds, and whether it is damaged
)";

constexpr const char* footer = R"(
Exit codes: 0 done; 1 failed; 2 usage or scene error; 3 file or disk; 4 diverged; 75 stopped with a checkpoint.)";

constexpr const char* signals =
    R"(Ctrl-C (signal INT), TERM and HUP write a checkpoint and stop; a second one stops at once. USR1 prints a status line and writes a checkpoint.)";

}  // namespace

Program simProgram()
{
    return {"firn-sim",
            description,
            footer,
            signals,
            "a larger solver.dx needs less",
            {runCommand(), wedgeCommand(), checkCommand(), infoCommand(), reportCommand()}};
}

}  // namespace firn
