#include "sim/cli/disk_advice.h"

#include "common/cache/layout.h"
#include "common/cache/stats.h"
#include "common/error.h"
#include "common/scene/identity.h"
#include "sim/cli/cached_lines.h"

namespace firn {
namespace {

/// Whether the folder holds frames, and all are of this scene.
bool hasFramesOf(const Scene& scene, const CacheLayout& layout)
{
    try {
        return areOfScene(StatsFile(layout.statsPath()), identityOf(scene));
    } catch (const Error&) {
        return false;
    }
}

/// Whether stats.jsonl lists frames: a run with --force that has removed the old cache lists none before it has written
/// its first frame.
bool hasLines(const CacheLayout& layout)
{
    try {
        return !StatsFile(layout.statsPath()).lines().empty();
    } catch (const Error&) {
        return true;  // damaged: that of an old cache
    }
}

}  // namespace

std::string diskAdvice(const RunOptions& options, const Scene& scene)
{
    const std::string repeat = ". Free disk space, then repeat the command";
    const bool startsOver = options.force && !options.resume;
    const CacheLayout layout{options.out};
    if (startsOver && !hasFramesOf(scene, layout))
        return repeat + (hasLines(layout) ? ": it replaces the old cache, which is still there" : "");
    return repeat +
           (options.is_take ? (startsOver ? " without --force" : "")
            : startsOver    ? " with --resume in the place of --force"
                            : " with --resume") +
           ": it continues after the last frame that was written";
}

}  // namespace firn
