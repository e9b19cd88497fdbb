#include "render/cli/frames_job.h"

#include <iostream>

#include "common/cache/wedge.h"
#include "common/io/threads.h"
#include "render/cli/frame_settings.h"
#include "render/cli/frames_run.h"

namespace firn {

namespace {

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
