#include <memory>

#include "common/cli/shared_options.h"
#include "render/cli/cache_options.h"
#include "render/cli/playblast_job.h"
#include "render/cli/program.h"

namespace firn {

Command playblastCommand()
{
    const auto job = std::make_shared<PlayblastJob>();
    const auto progress = std::make_shared<std::string>("auto");
    FramesJob& frames = job->frames;
    Command command{
        "playblast",
        R"(Draw frames of a cache in a fraction of a second each, to OUT/<shot>.####.png and the page OUT/playblast.html
No paths are traced: particles and bodies are drawn by depth, with one sun and its shadow. The page plays the frames and
plots the statistics of the simulation.

Examples:
  firn-render playblast shot.toml --cache out/sim --out out/playblast
  firn-render playblast shot.toml --cache out/sim --out out/playblast --color speed
  firn-render playblast shot.toml --cache out/sim --out out/playblast --follow      while firn-sim run goes on
  firn-render movie out/playblast --out out/playblast.mp4)",
        sceneOptions(frames.shot, frames.scene_options), [job, progress] {
            job->frames.progress = parseProgressMode(*progress);
            return drawPlayblast(*job);
        }};
    append(command.options,
           cacheOptions(frames, "Folder for the pictures and the page; those of an earlier playblast are replaced"));
    append(command.options,
           {{.name = "--res",
             .target = &frames.resolution,
             .help = "Size of the pictures; default: 1280 pixels wide, in the shape of the scene's",
             .value = "WIDTHxHEIGHT"},
            {.name = "--color",
             .target = &job->color,
             .help = "What the colour of snow shows: nothing, its speed, how far it is packed (blue) or loosened "
                     "(orange), or its region",
             .choices = {"plain", "speed", "packing", "region"}},
            {.name = "--fastest",
             .target = &job->fastest_m_s,
             .help = "With --color speed: the speed in m/s that is red; default: the greatest one of each frame",
             .least = 1e-6,
             .greatest = 1e6},
            {.name = "--follow",
             .target = &job->follow,
             .help = "Draw frames as a run writes them, and end with the run; the page loads itself again"},
            {.name = "--force", .target = &frames.force, .help = "Draw although the cache comes from another scene"},
            threadsOption(frames.threads),
            progressOption(*progress)});
    command.is_resumable = true;
    return command;
}

}  // namespace firn
