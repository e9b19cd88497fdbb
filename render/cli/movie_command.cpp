#include "render/cli/movie_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "render/cli/movie_job.h"

namespace firn {

namespace {

constexpr const char* description =
    R"(Makes a movie of a folder of pictures: an animated PNG, which browsers play, or through ffmpeg what its name says.
Without ffmpeg an animated PNG is written instead, with a warning.

Examples:
  firn-render movie out/exr --out out/shot.png
  firn-render movie out/exr --out out/shot.mp4 --fps 24 --frames 1-48)";

}  // namespace

Command movieCommand(CLI::App& program)
{
    const auto job = std::make_shared<MovieJob>();
    CLI::App* app = program.add_subcommand("movie", description);
    app->add_option("folder", job->folder, "folder of pictures")->required();
    app->add_option("--out", job->out, "the movie: .png or .apng; .mp4, .mov, .mkv or .webm through ffmpeg")
        ->required();
    app->add_option("--frames", job->frames, "such as 1-48 or 1-48x2; else all, without a gap");
    app->add_option("--fps", job->fps, "frames per second; else what the pictures say, else 24")
        ->check(CLI::Range(0.1, 480.0));
    app->add_option("--width", job->width, "at most, pixels")->check(CLI::Range(16, 8192));
    return {app, [job] { return static_cast<int>(makeMovie(*job)); }};
}

}  // namespace firn
