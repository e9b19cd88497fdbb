#include "render/cli/frames_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "render/cli/frames_job.h"

namespace firn {

namespace {

constexpr const char* description =
    R"(Renders frames of a cache: OUT/<shot>.####.exr, a PNG preview beside each, and OUT/render_stats.jsonl.

Examples:
  firn-render frames shot.toml --cache out/sim --out out/exr
  firn-render frames shot.toml --cache out/sim --out out/draft --spp 8 --res 480x270 --skip-existing
  firn-render frames shot.toml --cache out/sim --out out/exr --frames 24 --noise 0.02
  firn-render frames shot.toml --cache out/sim --out out/exr --frames 24 --crop 400,200,160,90 --spp 256)";

/// Options of which at most one may be given.
void addSampling(CLI::App& app, FramesJob& job)
{
    auto* group = app.add_option_group("sampling", "at most one of");
    group->add_option("--spp", job.spp, "paths per pixel")->check(CLI::Range(1, 1 << 24));
    group->add_option("--noise", job.noise_target, "until the mean relative standard error is below this")
        ->check(CLI::Range(1e-6, 1e6));
    group->add_option("--time", job.time_limit_s, "until so many seconds per frame are spent")
        ->check(CLI::Range(1e-3, 1e9));
    group->require_option(0, 1);
}

void addPicture(CLI::App& app, FramesJob& job)
{
    app.add_option("--res", job.resolution, "size of the picture, WIDTHxHEIGHT");
    app.add_option("--crop", job.crop, "only these pixels: x,y,width,height");
    app.add_option("--seed", job.seed, "another number gives other noise");
    app.add_option("--format", job.format, "EXR channels: half, float")->check(CLI::IsMember({"half", "float"}));
    app.add_option("--view", job.view, "tones of the PNG: filmic, srgb");
    app.add_flag("--raw-preview", job.raw_preview, "do not clean the PNG of noise; the EXR never is");
    app.add_option("--exposure", job.exposure, "stops, PNG only")->check(CLI::Range(-20.0, 20.0));
}

}  // namespace

Command framesCommand(CLI::App& program)
{
    const auto job = std::make_shared<FramesJob>();
    const auto progress = std::make_shared<std::string>("auto");
    CLI::App* app = program.add_subcommand("frames", description);
    app->add_option("shot", job->shot, "the scene file")->required();
    app->add_option("--cache", job->cache, "folder that firn-sim run or wedge wrote")->required();
    app->add_option("--out", job->out, "folder for the pictures")->required();
    app->add_option("--frames", job->frames, "such as 1-48, 1-48x2 or 1,5,9-12; else all of the cache");
    addSampling(*app, *job);
    addPicture(*app, *job);
    app->add_flag("--skip-existing", job->skip_existing, "leave frames whose EXR and PNG are there");
    app->add_option("--quality", job->scene_options.quality, "draft, preview or final, as for the simulation");
    app->add_option("--set", job->scene_options.set, "another value for a key of the scene: key=value")
        ->allow_extra_args(false);
    app->add_flag("--allow-outside", job->scene_options.allow_outside, "files may lie outside the scene's folder");
    app->add_flag("--force", job->force, "render a cache of another scene");
    app->add_option("--threads", job->threads, "else all that the machine grants")->check(CLI::Range(1, 4096));
    app->add_option("--progress", *progress, "auto, plain, alf, json or none");
    return {app, [job, progress] {
                job->progress = parseProgressMode(*progress);
                return static_cast<int>(renderFrames(*job));
            }};
}

}  // namespace firn
