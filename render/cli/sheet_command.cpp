#include <memory>

#include "render/cli/program.h"
#include "render/cli/sheet_job.h"

namespace firn {

Command sheetCommand()
{
    const auto job = std::make_shared<SheetJob>();
    return {"sheet",
            R"(Put many pictures on one sheet, each with its frame and time
With several folders each is a row with its name. Folders of a wedge also show what each take changes.

Examples:
  firn-render sheet out/exr --out out/sheet.png
  firn-render sheet out/wedge/frames --frames 24 --out out/wedge/sheet.png
  firn-render sheet before/exr after/exr --frames 12,24,36 --width 480 --out out/sheet.png)",
            {{.name = "FOLDERS",
              .target = &job->folders,
              .help = "Folders of pictures, or folders that hold such folders",
              .is_required = true},
             {.name = "--out", .target = &job->out, .help = "The sheet, a .png", .value = "FILE", .is_required = true},
             {.name = "--frames",
              .target = &job->frames,
              .help = "Frames such as 1-48x8 or 12,24; default: evenly spaced ones",
              .value = "RANGE"},
             {.name = "--count",
              .target = &job->count,
              .help = "Greatest number of frames of a folder; default: 24, or 6 with several folders",
              .least = 1,
              .greatest = 10000},
             {.name = "--columns",
              .target = &job->columns,
              .help = "Pictures side by side, unless each folder is a row",
              .least = 1,
              .greatest = 1000},
             {.name = "--width",
              .target = &job->width,
              .help = "Width of each picture, pixels; pictures are never enlarged",
              .least = 16,
              .greatest = 8192}},
            [job] { return makeSheet(*job); }};
}

}  // namespace firn
