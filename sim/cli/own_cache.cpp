#include "sim/cli/own_cache.h"

#include <functional>

#include "common/error.h"
#include "common/io/frame_range.h"
#include "sim/cli/origin.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuseForeign(const fs::path& path, const std::string& why)
{
    throw Error(ExitCode::File,
                path.string() + " " + why +
                    ". A cache may hold only frames and checkpoints of its own runs: move the file away");
}

/// `whyForeign` gets a file, its frame, and whether `stats` lists it.
void requirePoints(const CacheLayout& layout, const StatsFile& stats,
                   const std::function<std::string(const fs::path&, int, bool)>& whyForeign)
{
    for (const fs::path& pattern : {layout.framePattern(), layout.frozenPattern()}) {
        for (const int frame : existingFrames(pattern)) {
            const fs::path path = framePath(pattern, frame);
            const StatsLine* const line = stats.find(frame);
            const std::string why = whyForeign(path, frame, line != nullptr && line->lists(path.filename()));
            if (!why.empty()) refuseForeign(path, why);
        }
    }
}

}  // namespace

void requireOwnStats(const CacheLayout& layout, const StatsFile& stats)
{
    const std::string why = foreignStatsText(layout, stats);
    if (why.empty()) return;
    throw Error(ExitCode::File,
                layout.statsPath().string() + " " + why + ". Copy the cache's own one from a backup" +
                    (layout.frames().empty() ? "" : ", or, if the frames are from elsewhere, move them all away") +
                    "; otherwise choose another --out");
}

void requireOwnPoints(int last, const CacheLayout& layout, const StatsFile& stats, const std::string& hash)
{
    const std::string resolved = sceneHashInResolved(layout);  // of the last run, which may have been killed
    const std::string& lastRun = resolved.empty() ? hash : resolved;
    requirePoints(layout, stats, [&](const fs::path& path, int frame, bool isListed) {
        if (!isListed) return unlistedText(path, frame, stats, lastRun);
        return frame <= last ? exchangedText(path, frame, stats, hash) : strayText(path, frame, stats, hash);
    });
}

void requireFirnsPoints(const CacheLayout& layout, const StatsFile& stats, const std::string& hash)
{
    requirePoints(layout, stats, [&](const fs::path& path, int frame, bool isListed) {
        return isListed ? exchangedText(path, frame, stats, hash) : strayText(path, frame, stats, hash);
    });
}

void requireOwnCheckpoints(const CacheLayout& layout, const StatsFile& stats, const std::string& hash)
{
    for (const int frame : layout.checkpoints()) {
        const std::string why = foreignCheckpointText(layout, frame, stats, hash);
        if (!why.empty()) refuseForeign(layout.checkpointPath(frame), why);
    }
}

}  // namespace firn
