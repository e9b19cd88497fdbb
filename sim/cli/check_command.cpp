#include <memory>

#include "common/cli/shared_options.h"
#include "sim/cli/check.h"
#include "sim/cli/program.h"

namespace firn {

Command checkCommand()
{
    const auto options = std::make_shared<CheckOptions>();
    Command command{"check", R"(Validate a shot and forecast memory, disk and time; write nothing

Examples:
  firn-sim check shot.toml
  firn-sim check shot.toml --set solver.dx=0.01 --json)",
                    sceneOptions(options->shot, options->scene), [options] { return check(*options); }};
    append(command.options,
           {{.name = "--frames",
             .target = &options->frames,
             .help = "Frames that the run would write, as in 1-48 or 1-100x2; default: all of the scene",
             .value = "RANGE"},
            threadsOption(options->threads),
            {.name = "--json", .target = &options->json, .help = "Print JSON"}});
    return command;
}

}  // namespace firn
