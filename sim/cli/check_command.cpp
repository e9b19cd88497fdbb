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
           {threadsOption(options->threads), {.name = "--json", .target = &options->json, .help = "Print JSON"}});
    return command;
}

}  // namespace firn
