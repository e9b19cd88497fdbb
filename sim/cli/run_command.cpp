#include <memory>

#include "common/cli/shared_options.h"
#include "sim/cli/program.h"
#include "sim/cli/run.h"

namespace firn {

Command runCommand()
{
    const auto options = std::make_shared<RunOptions>();
    const auto progress = std::make_shared<std::string>("auto");
    Command command{"run", R"(Simulate a shot into a cache folder

Examples:
  firn-sim run shot.toml --out cache
  firn-sim run shot.toml --out cache --resume
  firn-sim run shot.toml --out draft --quality draft --frames 1-48x2)",
                    sceneOptions(options->shot, options->scene), [options, progress] {
                        options->progress = parseProgressMode(*progress);
                        return run(*options);
                    }};
    append(
        command.options,
        {{.name = "--out",
          .target = &options->out,
          .help = "Cache folder. Files in it that firn-sim did not write are never replaced",
          .value = "DIR"},
         {.name = "--frames",
          .target = &options->frames,
          .help = "Frames to write, as in 1-48 or 1-100x2; frames before and between are simulated but not written. "
                  "Default: all of the scene",
          .value = "RANGE"},
         {.name = "--resume",
          .target = &options->resume,
          .help = "Continue the simulation in DIR and restore its damaged frames; start one if there is none"},
         {.name = "--force",
          .target = &options->force,
          .help = "Replace an existing cache. Together with --resume: keep it and continue, although the scene has "
                  "changed"},
         threadsOption(options->threads),
         {.name = "--checkpoint-every",
          .target = &options->checkpoint_every,
          .help = "Frames between checkpoints",
          .least = 1,
          .greatest = 100000},
         {.name = "--playblast",
          .target = &options->playblast,
          .help = "Folder for quick pictures of the frames, which firn-render playblast draws while the run goes on. "
                  "Its page playblast.html follows the run in a browser",
          .value = "DIR"},
         progressOption(*progress),
         {.name = "--dump-config",
          .target = &options->dump_config,
          .help = "Print the resolved scene with the origin of each value, and simulate nothing"}});
    command.log_folders = {"DIR"};
    command.is_resumable = true;
    return command;
}

}  // namespace firn
