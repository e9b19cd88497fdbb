#include <memory>

#include "sim/cli/program.h"
#include "sim/cli/report.h"

namespace firn {

Command reportCommand()
{
    const auto options = std::make_shared<ReportOptions>();
    return {"report",
            R"(Write an HTML page about a simulation, or about two side by side

Examples:
  firn-sim report cache
  firn-sim report wedge/preset-powder wedge/preset-wet --out runs.html)",
            {{.name = "DIR",
              .target = &options->folders,
              .help = "One cache folder, or two",
              .is_required = true,
              .most_values = 2},
             {.name = "--out",
              .target = &options->out,
              .help = "The page; default: report.html in the first DIR",
              .value = "FILE"},
             {.name = "--previews",
              .target = &options->previews,
              .help = "At most this many previews per simulation",
              .least = 0,
              .greatest = 200}},
            [options] { return report(*options); }};
}

}  // namespace firn
