#include <memory>

#include "render/cli/program.h"
#include "render/cli/view_job.h"

namespace firn {

Command viewCommand()
{
    const auto job = std::make_shared<ViewJob>();
    return {
        "view",
        R"(Show a layer of EXR pictures as PNG, or the picture with another exposure or tone curve
Colours are shown with the tone curve and exposure that the picture was rendered with; normals as (n + 1) / 2; layers of
one channel, such as depth.Z or stderr.Y, from black (least) to pale yellow (greatest). The layers of a picture are
listed by firn-render info.

Examples:
  firn-render view out/exr/shot.0024.exr --layer depth --out depth.png
  firn-render view out/exr/shot.0024.exr --exposure 1 --view srgb --out bright.png
  firn-render view out/exr/*.exr --layer stderr.Y --range 0,0.1 --out out/stderr)",
        {{.name = "PICTURES", .target = &job->pictures, .help = "EXR files", .is_required = true},
         {.name = "--out",
          .target = &job->out,
          .help = "The PNG of one picture (name.png), or a folder for the PNG of each picture",
          .value = "PATH",
          .is_required = true},
         {.name = "--layer",
          .target = &job->layer,
          .help =
              "Layer or channel, such as albedo, N, depth or stderr.Y; default: denoised if it exists, otherwise rgb",
          .value = "NAME"},
         {.name = "--view", .target = &job->view, .help = "Tone curve of colours: filmic or srgb", .value = "NAME"},
         {.name = "--exposure",
          .target = &job->exposure,
          .help = "Exposure of colours, in stops",
          .least = -20,
          .greatest = 20},
         {.name = "--range",
          .target = &job->range,
          .help = "Least and greatest value of positions and single channels; default: of each picture, without the "
                  "outermost 0.5 % on either side",
          .value = "LEAST,GREATEST"}},
        [job] { return viewPictures(*job); }};
}

}  // namespace firn
