#include "render/cli/frames_job.h"

#include <iostream>

#include "common/cache/wedge.h"
#include "common/image/view.h"
#include "common/io/threads.h"
#include "render/cli/frames_run.h"
#include "render/cli/picture_options.h"
#include "render/reflectance.h"

namespace firn {

namespace {

/// The scene with the options of the command line about pictures.
LoadedScene sceneOf(const FramesJob& job)
{
    LoadedScene loaded = loadScene(job.shot, job.scene_options);
    Render& render = loaded.scene.render;
    if (job.spp) render.spp = *job.spp;
    if (!job.resolution.empty()) parseResolution(job.resolution, render.width, render.height);
    if (job.seed) render.seed = *job.seed;
    if (!job.format.empty()) render.half = job.format == "half";
    if (!job.view.empty()) render.view = job.view;
    if (job.exposure) render.exposure = *job.exposure;
    render.albedo = snowAlbedo(render);  // the metadata show the colour that was rendered
    viewByName(render.view);
    return loaded;
}

ExitCode renderTake(const FramesJob& job)
{
    const LoadedScene loaded = sceneOf(job);
    const ThreadCount threads = chooseThreads(job.threads > 0 ? job.threads : loaded.scene.solver.threads);
    ExitCode code = ExitCode::Done;
    runWithThreads(threads.count, [&] { code = renderCache(job, loaded); });
    return code;
}

/// The job of a take, with its own folders and settings. Settings of `job` override those of the wedge.
FramesJob jobOf(const FramesJob& job, const Wedge& wedge, const Take& take)
{
    FramesJob result = job;
    result.cache = job.cache / take.name;
    result.out = job.out / take.name;
    std::vector<std::string>& set = result.scene_options.set;
    set = wedge.set;
    set.insert(set.end(), take.set.begin(), take.set.end());
    set.insert(set.end(), job.scene_options.set.begin(), job.scene_options.set.end());
    if (job.scene_options.quality.empty()) result.scene_options.quality = wedge.quality;
    return result;
}

}  // namespace

ExitCode renderFrames(const FramesJob& given)
{
    FramesJob job = given;
    if (!job.samples.empty()) job.keep_film = true;  // a part is of no use without its film
    const auto wedge = readWedge(job.cache);
    if (!wedge) return renderTake(job);
    claimWedgeFolder(job.out, *wedge, job.force);
    for (std::size_t i = 0; i < wedge->takes.size(); ++i) {
        const Take& take = wedge->takes[i];
        std::cerr << "take " << i + 1 << "/" << wedge->takes.size() << ": " << take.name << std::endl;
        const ExitCode code = renderTake(jobOf(job, *wedge, take));
        if (code != ExitCode::Done) return code;
    }
    return ExitCode::Done;
}

}  // namespace firn
