#include <memory>

#include "common/cli/shared_options.h"
#include "render/cli/check_job.h"
#include "render/cli/program.h"

namespace firn {

Command checkCommand()
{
    const auto job = std::make_shared<CheckJob>();
    FramesJob& frames = job->frames;
    Command command{
        "check",
        R"(Measure a frame of a cache with few paths: optical depths, forecast of time and noise; write nothing
With render.transport = "cached" or --light-cache it also fills the light cache, compares it with path tracing, and
tells how far pictures with it are off in this frame. That takes much longer.
Exit code 1: the self-test found a wrong mean.

Examples:
  firn-render check shot.toml --cache out/sim --frames 24
  firn-render check shot.toml --cache out/sim --frames 24 --res 1920x1080 --noise 0.01 --selftest)",
        sceneOptions(frames.shot, frames.scene_options), [job] { return checkFrame(*job); }};
    append(
        command.options,
        {{.name = "--cache",
          .target = &frames.cache,
          .help = "Folder that firn-sim run wrote",
          .value = "DIR",
          .is_required = true},
         {.name = "--frames",
          .target = &frames.frames,
          .help = "The frame; of several, the first is measured; default: the first of the cache",
          .value = "RANGE"},
         {.name = "--spp", .target = &frames.spp, .help = "Paths per pixel", .least = 1, .greatest = 1 << 24},
         {.name = "--noise",
          .target = &frames.noise_target,
          .help = "Forecast paths and time for this mean relative standard error before denoising; 0.05 means 5 %; "
                  "default: 0.02. frames --noise needs fewer paths with a denoiser, because it sets the error of the "
                  "denoised picture",
          .least = 1e-6,
          .greatest = 1,
          .limits_hint = "0.05 means 5 %"},
         {.name = "--res",
          .target = &frames.resolution,
          .help = "Size of the picture; default: as the scene says",
          .value = "WIDTHxHEIGHT"},
         {.name = "--crop", .target = &frames.crop, .help = "Measure only these pixels", .value = "X,Y,WIDTH,HEIGHT"},
         {.name = "--light-cache",
          .target = &job->light_cache,
          .help = "Measure the light cache too, although the scene does not ask for it"},
         {.name = "--selftest",
          .target = &job->selftest,
          .help = "Test transport in this snow: a white furnace, and the number of scatterings"},
         {.name = "--force", .target = &frames.force, .help = "Measure although the cache comes from another scene"},
         {.name = "--json", .target = &job->json, .help = "Print JSON"},
         threadsOption(frames.threads)});
    return command;
}

}  // namespace firn
