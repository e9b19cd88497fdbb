#include <memory>

#include "common/cli/shared_options.h"
#include "render/cli/program.h"
#include "render/cli/usd_job.h"

namespace firn {

Command usdCommand()
{
    const auto job = std::make_shared<UsdJob>();
    Command command{"usd",
                    R"(Write a shot as a USD layer: camera, lights, bodies, and the volumes of firn-render volume
Metres, y up, one time code per frame. Skies become one dome of their mean radiance.

Examples:
  firn-render volume shot.toml --cache out/sim --out out/volumes
  firn-render usd shot.toml --volumes out/volumes --out out/shot.usda)",
                    sceneOptions(job->shot, job->scene_options), [job] { return writeUsd(*job); }};
    append(command.options,
           {{.name = "--out",
             .target = &job->out,
             .help = "The layer; its name ends in .usda. One that this command wrote is replaced",
             .value = "FILE",
             .is_required = true},
            {.name = "--volumes",
             .target = &job->volumes,
             .help = "Folder of firn-render volume, with y up. Without it, the layer has no snow",
             .value = "DIR"},
            {.name = "--frames",
             .target = &job->frames,
             .help = "Frames such as 1-48 or 1-48x2; default: those of the volumes, or all of the scene",
             .value = "RANGE"}});
    return command;
}

}  // namespace firn
