#include <memory>

#include "common/cli/shared_options.h"
#include "render/cli/denoise_job.h"
#include "render/cli/program.h"

namespace firn {

Command denoiseCommand()
{
    const auto job = std::make_shared<DenoiseJob>();
    return {
        "denoise",
        R"(Denoise pictures of firn-render frames again, with another denoiser or other weights
Writes each picture to OUT under its own name, with new layers denoised.*, and a PNG of them. The layers that were traced
stay as they are. The error layer denoised.stderr.Y is only written by firn-render frames.
A damaged picture is named, the others are denoised anyway, and the exit code is 3.

Examples:
  firn-render denoise out/exr/*.exr --out out/denoised
  firn-render denoise out/exr/*.exr --out out/denoised --neighbours 1
  firn-render denoise out/exr/shot.0024.exr --out out/denoised --denoiser filter)",
        {{.name = "PICTURES", .target = &job->pictures, .help = "EXR files", .is_required = true},
         {.name = "--out", .target = &job->out, .help = "Folder for the pictures", .value = "DIR", .is_required = true},
         {.name = "--denoiser",
          .target = &job->denoiser,
          .help = "auto: the network if its weights are found, otherwise the filter",
          .choices = {"auto", "network", "filter"}},
         {.name = "--denoiser-weights",
          .target = &job->weights,
          .help = "Weights of the network: rt_hdr_alb_nrm.tza of Open Image Denoise",
          .value = "FILE"},
         {.name = "--neighbours",
          .target = &job->neighbours,
          .help = "Use the light of this number of frames before and after each picture, where they show the same from "
                  "the same camera. Give all frames of the shot",
          .value = "COUNT",
          .least = 0,
          .greatest = 4},
         {.name = "--force",
          .target = &job->force,
          .help = "Replace pictures of another simulation or of more paths per pixel"},
         threadsOption(job->threads)},
        [job] { return denoisePictures(*job); },
        {"OUT"}};
}

}  // namespace firn
