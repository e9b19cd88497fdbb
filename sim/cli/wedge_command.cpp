#include <memory>

#include "common/cli/shared_options.h"
#include "sim/cli/program.h"
#include "sim/cli/wedge.h"

namespace firn {

Command wedgeCommand()
{
    const auto options = std::make_shared<WedgeOptions>();
    const auto progress = std::make_shared<std::string>("auto");
    const std::string printing = "Printing (give at most one of these)";
    Command command{"wedge", R"(Simulate variations ("takes") of a shot, each into its own folder below DIR
If you repeat the command, it skips finished takes and continues the others.

Examples:
  firn-sim wedge shot.toml --vary snow.0.preset=powder,wet --out wedge
  firn-sim wedge shot.toml --vary solver.dx=0.04,0.02 --vary snow.0.preset=powder,wet --list
  firn-sim wedge shot.toml --out wedge --index $SLURM_ARRAY_TASK_ID)",
                    sceneOptions(options->run.shot, options->run.scene), [options, progress] {
                        options->run.progress = parseProgressMode(*progress);
                        return wedge(*options);
                    }};
    append(
        command.options,
        {{.name = "--vary",
          .target = &options->vary,
          .help = "Values of a key, as in --vary solver.dx=0.04,0.02. Given several times, every combination is a "
                  "take. Default: the [[take]] tables of the scene",
          .value = "KEY=VALUE,..."},
         {.name = "--out",
          .target = &options->run.out,
          .help = "Folder for wedge.json and the cache folder of each take",
          .value = "DIR"},
         {.name = "--frames",
          .target = &options->run.frames,
          .help = "Frames to write; default: all of the scene",
          .value = "RANGE"},
         {.name = "--index",
          .target = &options->index,
          .help = "Simulate only this take, counted from 1: one job of an array",
          .least = 1,
          .greatest = 1000000},
         {.name = "--list",
          .target = &options->list,
          .help = "Print number, name and settings of each take, and simulate nothing",
          .one_of = printing},
         {.name = "--count",
          .target = &options->count,
          .help = "Print the number of takes, and simulate nothing",
          .one_of = printing},
         {.name = "--force",
          .target = &options->run.force,
          .help = "Simulate every take from its first frame and replace its earlier frames, also if DIR holds another "
                  "wedge"},
         threadsOption(options->run.threads),
         progressOption(*progress)});
    command.log_folders = {"DIR/TAKE"};
    command.is_resumable = true;
    return command;
}

}  // namespace firn
