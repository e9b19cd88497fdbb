#include <memory>

#include "sim/cli/info.h"
#include "sim/cli/program.h"

namespace firn {

Command infoCommand()
{
    const auto options = std::make_shared<InfoOptions>();
    return {"info",
            R"(Print what a cache, a frame or a checkpoint contains, and whether it is damaged
Exit code 3: a file is damaged, or a file that the run wrote is missing. Frames that are not simulated yet are no error.

Examples:
  firn-sim info cache
  firn-sim info cache/snow.0012.vdb)",
            {{.name = "PATH",
              .target = &options->path,
              .help = "Cache folder, snow.####.vdb or checkpoint.####.firn",
              .is_required = true},
             {.name = "--json", .target = &options->json, .help = "Print JSON"}},
            [options] { return info(*options); }};
}

}  // namespace firn
