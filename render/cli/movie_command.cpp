#include <memory>

#include "render/cli/movie_job.h"
#include "render/cli/program.h"

namespace firn {

Command movieCommand()
{
    const auto job = std::make_shared<MovieJob>();
    return {
        "movie",
        R"(Make a movie from a folder of pictures
The file name decides: .png or .apng gives an animated PNG, which browsers play; .mp4, .mov, .mkv and .webm need ffmpeg.
Without ffmpeg an animated PNG is written instead, such as shot.mp4.png, with a warning.

Examples:
  firn-render movie out/exr --out out/shot.png
  firn-render movie out/exr --out out/shot.mp4 --fps 24 --frames 1-48)",
        {{.name = "FOLDER", .target = &job->folder, .help = "Folder of pictures", .is_required = true},
         {.name = "--out", .target = &job->out, .help = "The movie", .value = "FILE", .is_required = true},
         {.name = "--frames",
          .target = &job->frames,
          .help = "Frames such as 1-48 or 1-48x2; default: from the first to the last, without gaps",
          .value = "RANGE"},
         {.name = "--fps",
          .target = &job->fps,
          .help = "Frames per second; default: as the pictures say, or else 24",
          .least = 0.1,
          .greatest = 480},
         {.name = "--width", .target = &job->width, .help = "Greatest width, pixels", .least = 16, .greatest = 8192}},
        [job] { return makeMovie(*job); }};
}

}  // namespace firn
