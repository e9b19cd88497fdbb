#include <memory>

#include "common/cli/shared_options.h"
#include "render/cli/cache_options.h"
#include "render/cli/program.h"
#include "render/cli/volume_job.h"

namespace firn {

Command volumeCommand()
{
    const auto job = std::make_shared<VolumeJob>();
    const auto progress = std::make_shared<std::string>("auto");
    FramesJob& frames = job->frames;
    Command command{"volume",
                    R"(Write the snow of frames as OpenVDB volumes for other renderers, to OUT/<shot>.####.vdb
Grids: "density", a fog volume in kg/m^3; "vel", velocity in m/s; with --surface "surface", a level set. The metadata of
the file have extinction_m2_per_kg, albedo and anisotropy: extinction in 1/m is density times extinction_m2_per_kg.

Examples:
  firn-render volume shot.toml --cache out/sim --out out/volumes --frames 24
  firn-render volume shot.toml --cache out/sim --out out/volumes --voxel 0.005 --up z --surface --resume)",
                    sceneOptions(frames.shot, frames.scene_options), [job, progress] {
                        job->frames.progress = parseProgressMode(*progress);
                        return exportVolumes(*job);
                    }};
    append(command.options, cacheOptions(frames, "Folder for the volumes"));
    append(command.options,
           {{.name = "--voxel",
             .target = &job->voxel_m,
             .help = "Edge of the voxels in metres; default: render.voxel_m, or half of the simulation's cells. With "
                     "render.detail, smaller voxels show more of the detail, which is finest where the scene's camera "
                     "sees it",
             .least = 1e-5,
             .greatest = 100},
            {.name = "--up",
             .target = &job->up,
             .help = "The axis that points up: z turns the snow about x",
             .choices = {"y", "z"}},
            {.name = "--surface",
             .target = &job->has_surface,
             .help = "Add the level set \"surface\", at half the density of the lightest snow"},
            {.name = "--float", .target = &job->is_float, .help = "32 bits for each value, not 16"},
            {.name = "--resume",
             .target = &frames.resume,
             .help = "Skip files that are finished and undamaged. Files of other snow, scenes or options are refused"},
            {.name = "--force",
             .target = &frames.force,
             .help = "Replace volumes in OUT, and export although the cache comes from another scene"},
            threadsOption(frames.threads),
            progressOption(*progress)});
    command.log_folders = {"OUT"};
    command.is_resumable = true;
    return command;
}

}  // namespace firn
