#include "render/cli/sheet_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "render/cli/sheet_job.h"

namespace firn {

namespace {

constexpr const char* description =
    R"(Puts pictures on one, each with frame and time below it; of several folders each is a row with its name.
Folders of a wedge also tell what each take changes.

Examples:
  firn-render sheet out/exr --out out/sheet.png
  firn-render sheet out/wedge/frames --frames 24 --out out/wedge/sheet.png
  firn-render sheet before/exr after/exr --frames 12,24,36 --width 480 --out out/sheet.png)";

}  // namespace

Command sheetCommand(CLI::App& program)
{
    const auto job = std::make_shared<SheetJob>();
    CLI::App* app = program.add_subcommand("sheet", description);
    app->add_option("folders", job->folders, "folders of pictures, or of such folders")->required();
    app->add_option("--out", job->out, "the sheet, a .png")->required();
    app->add_option("--frames", job->frames, "such as 1-48x8 or 12,24; else evenly spaced ones");
    app->add_option("--count", job->count, "most frames of a folder [24, of several 6]")->check(CLI::Range(1, 10000));
    app->add_option("--columns", job->columns, "pictures side by side, where folders are no rows")
        ->check(CLI::Range(1, 1000));
    app->add_option("--width", job->width, "of each picture, at most its own [320]")->check(CLI::Range(16, 8192));
    return {app, [job] { return static_cast<int>(makeSheet(*job)); }};
}

}  // namespace firn
