#include "render/cli/cache_options.h"

#include "common/cache/layout.h"
#include "common/error.h"
#include "common/io/threads.h"

namespace firn {

std::vector<Option> cacheOptions(FramesJob& job, const std::string& outHelp)
{
    return {{.name = "--cache",
             .target = &job.cache,
             .help = "Folder that firn-sim run wrote",
             .value = "DIR",
             .is_required = true},
            {.name = "--out", .target = &job.out, .help = outHelp, .value = "DIR", .is_required = true},
            {.name = "--frames",
             .target = &job.frames,
             .help = "Frames such as 1-48, 1-48x2 or 1,5,9-12; default: all of the cache",
             .value = "RANGE"}};
}

ExitCode runWithThreadsOf(const FramesJob& job, const Scene& scene, const std::function<ExitCode()>& work)
{
    ExitCode code = ExitCode::Done;
    runWithThreads(chooseThreads(job.threads > 0 ? job.threads : scene.solver.threads).count, [&] { code = work(); });
    return code;
}

void requireNoCacheIn(const std::filesystem::path& out)
{
    if (CacheLayout{out}.isUsed()) throw Error(ExitCode::Usage, out.string() + " holds a cache: choose another --out");
}

}  // namespace firn
