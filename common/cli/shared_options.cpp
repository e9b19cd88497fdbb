#include "common/cli/shared_options.h"

namespace firn {

std::vector<Option> sceneOptions(std::filesystem::path& shot, SceneOptions& scene)
{
    return {
        {.name = "SHOT", .target = &shot, .help = "Scene file (TOML)", .is_required = true},
        {.name = "--quality",
         .target = &scene.quality,
         .help = "Quality of simulation and picture; default: that of the scene",
         .choices = {"draft", "preview", "final"}},
        {.name = "--set",
         .target = &scene.set,
         .help = "Set a key of the scene, as in --set solver.dx=0.02; may be repeated",
         .value = "KEY=VALUE"},
        {.name = "--allow-outside",
         .target = &scene.allow_outside,
         .help = "Allow the scene to refer to files outside of its folder"},
    };
}

Option threadsOption(int& threads)
{
    return {.name = "--threads",
            .target = &threads,
            .help = "Number of threads; default: SLURM_CPUS_PER_TASK, or else all processors that may be used",
            .least = 1,
            .greatest = 4096};
}

Option progressOption(std::string& progress)
{
    return {.name = "--progress", .target = &progress, .help = "auto, plain, alf, json or none", .value = "MODE"};
}

}  // namespace firn
