#include "sim/cli/cached_lines.h"

#include <algorithm>

#include "common/cache/points_file.h"
#include "common/error.h"
#include "sim/cli/own_cache.h"
#include "sim/cli/stats_line.h"

namespace firn {

namespace fs = std::filesystem;

std::vector<int> framesOf(const StatsFile& stats)
{
    std::vector<int> frames;
    for (const StatsLine& line : stats.lines()) frames.push_back(line.frame);
    return frames;
}

bool areOfScene(const StatsFile& stats, const SceneIdentity& identity)
{
    return !stats.lines().empty() && std::ranges::all_of(stats.lines(), [&](const StatsLine& line) {
        return sceneHashOf(line) == identity.hash;
    });
}

bool hasWanted(const StatsFile& stats, const StartRules& rules)
{
    return std::ranges::all_of(rules.frames, [&](int frame) {
        const StatsLine* line = stats.find(frame);
        return line && line->snowFile();
    });
}

int missingLine(const StatsFile& stats, int startFrame)
{
    int frame = startFrame;
    while (stats.find(frame)) ++frame;
    return frame;
}

bool hasLaterCheckpoint(const CacheFolder& folder, const StatsFile& stats)
{
    return std::ranges::any_of(folder.layout().checkpoints(), [&](int frame) {
        return frame > stats.lines().back().frame && folder.hasReadableCheckpoint(frame);
    });
}

bool hasLinesOf(const StatsFile& stats, const SceneIdentity& identity, int startFrame)
{
    return areOfScene(stats, identity) && stats.lines().front().frame == startFrame &&
           missingLine(stats, startFrame) == stats.lines().back().frame + 1;
}

void requireForceable(const CacheLayout& layout, const StatsFile& stats, const std::string& hash)
{
    const bool wasBegun = fs::exists(layout.scenePath());
    if (stats.lines().empty() && wasBegun) return;
    requireFirnsPoints(layout, stats, hash);
    requireOwnCheckpoints(layout, stats, hash);
}

bool isForceable(const CacheFolder& folder, const StatsFile& stats, const SceneIdentity& identity)
{
    try {
        requireForceable(folder.layout(), stats, identity.hash);
        return true;
    } catch (const Error&) {
        return false;
    }
}

bool isOnlyFirstFrame(const CacheFolder& folder, const SceneIdentity& identity, int startFrame)
{
    const CacheLayout& layout = folder.layout();
    const auto isFirst = [&](int frame) { return frame == startFrame; };
    if (!std::ranges::all_of(layout.frames(), isFirst) || !std::ranges::all_of(layout.checkpoints(), isFirst)) {
        return false;
    }
    try {
        const auto isOwn = [&](int frame, const std::string& hash) {
            return frame == startFrame && hash == identity.hash;
        };
        if (!layout.frames().empty()) {
            const ParticleFrame found = readPointsFile(layout.framePath(startFrame));
            if (!isOwn(found.frame, found.scene_hash)) return false;
        }
        if (layout.checkpoints().empty()) return true;
        const RunCheckpoint found = folder.readCheckpoint(layout.checkpointPath(startFrame));
        return isOwn(found.frame, found.identity.hash);
    } catch (const Error&) {
        return false;
    }
}

}  // namespace firn
