#include <memory>

#include "common/cli/shared_options.h"
#include "render/cli/merge_job.h"
#include "render/cli/program.h"

namespace firn {

Command mergeCommand()
{
    const auto job = std::make_shared<MergeJob>();
    return {
        "merge",
        R"(Add up films of one picture that were rendered apart: other seeds, other samples, or other crops
Writes OUT/<shot>.####.exr, .png and .film. The picture has the same bits as one run with all samples.
firn-render frames keeps films with --film or --samples.

Example: two machines share the 64 samples of each pixel.
  firn-render frames shot.toml --cache out/sim --out out/a --frames 24 --spp 64 --samples 0-31
  firn-render frames shot.toml --cache out/sim --out out/b --frames 24 --spp 64 --samples 32-63
  firn-render merge out/a/shot.0024.film out/b/shot.0024.film --out out/exr)",
        {{.name = "FILMS", .target = &job->films, .help = "Films of the same frame", .is_required = true},
         {.name = "--out", .target = &job->out, .help = "Folder for the picture", .value = "DIR", .is_required = true},
         {.name = "--denoiser",
          .target = &job->denoiser,
          .help = "What makes the layers denoised.*; auto: the network if its weights are found, otherwise the filter",
          .choices = {"auto", "network", "filter", "off"}},
         {.name = "--denoiser-weights",
          .target = &job->denoiser_weights,
          .help = "Weights of the network: rt_hdr_alb_nrm.tza of Open Image Denoise",
          .value = "FILE"},
         {.name = "--raw-preview", .target = &job->raw_preview, .help = "The PNG shows the picture with its noise"},
         {.name = "--format",
          .target = &job->format,
          .help = "Precision of the EXR channels; default: as the first film",
          .choices = {"half", "float"}},
         {.name = "--view",
          .target = &job->view,
          .help = "Tone curve of the PNG: filmic or srgb; default: as the first film",
          .value = "NAME"},
         {.name = "--exposure",
          .target = &job->exposure,
          .help = "Exposure of the PNG, in stops; default: as the first film",
          .least = -20,
          .greatest = 20},
         {.name = "--force",
          .target = &job->force,
          .help = "Replace a picture of another simulation or of more paths per pixel"},
         threadsOption(job->threads)},
        [job] { return mergeFilms(*job); },
        {"OUT"}};
}

}  // namespace firn
