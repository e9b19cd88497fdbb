#include <memory>

#include "common/cli/shared_options.h"
#include "render/cli/frames_job.h"
#include "render/cli/program.h"

namespace firn {

namespace {

constexpr const char* sampling = "Sampling (give at most one of these)";

constexpr const char* description =
    R"(Render frames of a cache to OUT/<shot>.####.exr, with a PNG preview beside each
Writes statistics to OUT/render_stats.jsonl. Files in OUT that firn-render did not write are never replaced.

Examples:
  firn-render frames shot.toml --cache out/sim --out out/exr
  firn-render frames shot.toml --cache out/sim --out out/draft --spp 8 --res 480x270 --resume
  firn-render frames shot.toml --cache out/sim --out out/exr --frames 24 --noise 0.02
  firn-render frames shot.toml --cache out/sim --out out/exr --frames 24 --crop 400,200,160,90 --spp 256)";

std::vector<Option> samplingOptions(FramesJob& job)
{
    return {
        {.name = "--spp",
         .target = &job.spp,
         .help = "Paths per pixel",
         .least = 1,
         .greatest = 1 << 24,
         .one_of = sampling},
        {.name = "--noise",
         .target = &job.noise_target,
         .help =
             "Trace paths until the mean relative standard error of the picture is below this; 0.05 means 5 %. With "
             "a denoiser: of the denoised picture. At least 8 per pixel",
         .least = 1e-6,
         .greatest = 1,
         .limits_hint = "0.05 means 5 %",
         .one_of = sampling},
        {.name = "--time",
         .target = &job.time_limit_s,
         .help =
             "Trace paths for this many seconds per frame, at least 8 per pixel; preparing and denoising come on top",
         .least = 1e-3,
         .greatest = 1e9,
         .one_of = sampling}};
}

std::vector<Option> pictureOptions(FramesJob& job)
{
    return {
        {.name = "--res",
         .target = &job.resolution,
         .help = "Size of the picture; default: as the scene says",
         .value = "WIDTHxHEIGHT"},
        {.name = "--crop", .target = &job.crop, .help = "Render only these pixels", .value = "X,Y,WIDTH,HEIGHT"},
        {.name = "--seed", .target = &job.seed, .help = "Seed of the random numbers: another one gives other noise"},
        {.name = "--format",
         .target = &job.format,
         .help = "Precision of the EXR channels",
         .choices = {"half", "float"}},
        {.name = "--view", .target = &job.view, .help = "Tone curve of the PNG: filmic or srgb", .value = "NAME"},
        {.name = "--denoiser",
         .target = &job.denoiser,
         .help = "What makes the layers denoised.*; auto: the network if its weights are found, otherwise the filter",
         .choices = {"auto", "network", "filter", "off"}},
        {.name = "--denoiser-weights",
         .target = &job.denoiser_weights,
         .help = "Weights of the network: rt_hdr_alb_nrm.tza of Open Image Denoise",
         .value = "FILE"},
        {.name = "--preview",
         .target = &job.preview,
         .help = "While a frame is rendered, OUT/<shot>.preview.png shows it, denoised, after 2, 4, 8, ... paths per "
                 "pixel; --noise and --time show it after each of their passes. At the end it shows the last frame"},
        {.name = "--raw-preview", .target = &job.raw_preview, .help = "The PNG shows the picture with its noise"},
        {.name = "--exposure",
         .target = &job.exposure,
         .help = "Exposure of the PNG, in stops",
         .least = -20,
         .greatest = 20}};
}

}  // namespace

Command framesCommand()
{
    const auto job = std::make_shared<FramesJob>();
    const auto progress = std::make_shared<std::string>("auto");
    Command command{"frames", description, sceneOptions(job->shot, job->scene_options), [job, progress] {
                        job->progress = parseProgressMode(*progress);
                        return renderFrames(*job);
                    }};
    append(
        command.options,
        {{.name = "--cache",
          .target = &job->cache,
          .help = "Folder that firn-sim run or firn-sim wedge wrote",
          .value = "DIR",
          .is_required = true},
         {.name = "--out", .target = &job->out, .help = "Folder for the pictures", .value = "DIR", .is_required = true},
         {.name = "--frames",
          .target = &job->frames,
          .help = "Frames such as 1-48, 1-48x2 or 1,5,9-12; default: those of the scene, from the "
                  "first to the last that the cache has",
          .value = "RANGE"}});
    append(command.options, samplingOptions(*job));
    append(command.options, pictureOptions(*job));
    append(
        command.options,
        {{.name = "--samples",
          .target = &job->samples,
          .help =
              "Trace only a part of the --spp samples of each pixel, for firn-render merge: 0-31, 32-63, ...; FIRST "
              "is even. Keeps the film, as --film does; merge denoises the sum",
          .value = "FIRST-LAST"},
         {.name = "--film",
          .target = &job->keep_film,
          .help = "Keep OUT/<shot>.####.film, the sums of the samples, for firn-render merge. With render.transport = "
                  "\"cached\", the light cache is filled for the whole picture, because all parts of a picture need "
                  "the same cache"},
         {.name = "--checkpoint",
          .target = &job->checkpoint_minutes,
          .help = "While a frame is rendered, its samples are saved in OUT/<shot>.####.film at this interval in "
                  "minutes; 0 = only when it is stopped",
          .value = "MINUTES",
          .least = 0,
          .greatest = 1e6},
         {.name = "--light-caches",
          .target = &job->light_caches,
          .help = "With render.transport = \"cached\": keep light caches in this folder, and use those that are there. "
                  "A frame that is rendered again with another number of paths, or in parts, needs no photons then, if "
                  "render.cache_photons is set",
          .value = "DIR"},
         {.name = "--resume",
          .target = &job->resume,
          .help = "Skip frames that are finished and undamaged, and continue the frame that was interrupted. Pictures "
                  "of other values are refused, and pictures of other snow are rendered anew"},
         {.name = "--skip-existing",
          .target = &job->skip_existing,
          .help = "Skip frames whose EXR and PNG exist, unless one of them is empty or truncated, or the EXR is of "
                  "another frame, take, simulation or snow. Lights, looks, camera and options such as --crop or --spp "
                  "are not "
                  "compared"},
         {.name = "--force",
          .target = &job->force,
          .help =
              "Render although the cache comes from another scene, or although OUT holds pictures of another wedge; "
              "replace pictures of another simulation, of more paths per pixel or of more pixels"},
         threadsOption(job->threads),
         progressOption(*progress)});
    command.log_folders = {"OUT", "for a wedge OUT/TAKE"};
    command.is_resumable = true;
    return command;
}

}  // namespace firn
