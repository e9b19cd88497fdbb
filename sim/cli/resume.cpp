#include "sim/cli/resume.h"

#include <algorithm>
#include <limits>
#include <set>

#include "common/io/frame_range.h"
#include "sim/cli/cached_lines.h"
#include "sim/cli/own_cache.h"
#include "sim/cli/refused_start.h"
#include "sim/cli/restorable.h"
#include "sim/cli/stats_line.h"

namespace firn {
namespace {

/// Whether stats.jsonl has a line for each wanted frame: all were simulated, and some perhaps left out by --frames.
bool hasWantedLines(const StatsFile& stats, const StartRules& rules)
{
    return std::ranges::all_of(rules.frames, [&](int frame) { return stats.find(frame) != nullptr; });
}

/// Whether nothing is left to simulate: the last wanted frame is there and of this scene.
bool isSimulated(const StatsFile& stats, const SceneIdentity& identity, const StartRules& rules)
{
    const StatsLine* const last = stats.find(rules.frames.back());
    return hasWantedLines(stats, rules) && sceneHashOf(*last) == identity.hash;
}

/// ": frames 1-6 are removed when the new simulation has its first frame"
std::string removedText(const CacheLayout& layout)
{
    const std::vector<int> frames = layout.frames();
    if (frames.empty()) return ", which has no frames";
    return ": " + framesText(frames) + (frames.size() == 1 ? " is" : " are") +
           " removed when the new simulation has its first frame";
}

/// "frames 2-3 are simulated again, ...": of frames that have lines.
std::string againText(int frame, const StatsFile& stats)
{
    std::vector<int> again = framesOf(stats);
    std::erase_if(again, [&](int found) { return found <= frame; });
    if (again.empty()) return "";
    return framesText(again) + (again.size() == 1 ? " is" : " are") +
           " simulated again, because no newer checkpoint can be used";
}

/// The files first: if the program is killed in between, lines tell which frames are missing.
void removeLater(int frame, const CacheFolder& folder, StatsFile& stats,
                 const std::function<void(const std::string&)>& warn)
{
    folder.removeAfter(frame, stats, warn);
    stats.keepUntil(frame);
}

/// Adds the checkpoint's line if a killed run did not write it, and removes what is later than the checkpoint, unless
/// nothing is left to simulate. Changes nothing if it throws what requireOwnPoints() and requireOwnCheckpoints() throw.
void continueFrom(const RunCheckpoint& checkpoint, bool isComplete, const CacheFolder& folder,
                  const SceneIdentity& identity, StatsFile& stats, const std::function<void(const std::string&)>& warn)
{
    const int frame = checkpoint.frame;
    if (!isComplete) requireNoLoss(checkpoint, identity, folder, stats);
    const bool lacksLine = !stats.find(frame);
    const StatsLine line = parseStatsLine(checkpoint.stats_line, "checkpoint of frame " + std::to_string(frame));
    requireOwnPoints(isComplete ? std::numeric_limits<int>::max() : frame, folder.layout(),
                     lacksLine ? stats.with(line) : stats, identity.hash);
    if (!isComplete) requireOwnCheckpoints(folder.layout(), stats, identity.hash);
    if (lacksLine) stats.add(line);
    if (isComplete) return;
    if (const std::string again = againText(frame, stats); !again.empty()) warn(again);
    removeLater(frame, folder, stats, warn);
}

/// Whether frames after the checkpoint have lines, and all are of its scene: they can be simulated again from there,
/// and compared.
bool isReached(const RunCheckpoint& checkpoint, const StatsFile& stats, const SceneIdentity& identity)
{
    if (checkpoint.identity != identity || stats.lines().empty()) return false;
    if (stats.lines().back().frame <= checkpoint.frame) return false;
    return std::ranges::all_of(stats.lines(), [&](const StatsLine& line) {
        return line.frame <= checkpoint.frame || sceneHashOf(line) == identity.hash;
    });
}

/// Warns of files that are named as checkpoints and are of another cache: a run that does not continue from
/// checkpoints leaves them.
void warnOfForeignCheckpoints(const CacheLayout& layout, const StatsFile& stats,
                              const std::function<void(const std::string&)>& warn)
{
    for (const int frame : layout.checkpoints()) {
        const std::string why = foreignCheckpointText(layout, frame, stats, "");
        if (!why.empty()) warn(unusedCheckpointText(layout.checkpointPath(frame), why));
    }
}

/// How the run begins, before damaged files are looked for. Changes nothing. Throws what prepareStart() throws.
Start plannedStart(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                   const StartRules& rules, const StatsFile& stats, const std::function<void(const std::string&)>& warn)
{
    if (!rules.resume) refuseOldCache(folder, scene, identity, rules, stats);
    requireSameFirstFrame(folder, scene.start_frame, rules, stats);
    Start start;
    start.checkpoint = folder.newestCheckpoint(stats, scene.start_frame, identity, warn);
    const int last = rules.frames.back();
    if (isSimulated(stats, identity, rules) && (!start.checkpoint || start.checkpoint->frame < last)) {
        start.checkpoint.reset();  // later ones are gone or damaged, but nothing has to be continued from them
        start.complete = true;
    } else if (start.checkpoint) {
        checkSameScene(*start.checkpoint, scene, identity, folder, rules, warn);
        start.complete = start.checkpoint->frame >= last;
        if (!start.complete && !rules.force && isReached(*start.checkpoint, stats, identity)) {
            start.lost.checkpoint = stats.lines().back().frame;
            start.checkpoint.reset();
        }
    } else if (stats.lines().empty() && isOnlyFirstFrame(folder, identity, scene.start_frame)) {
        return start;  // a killed run left it; it is compared with the new one
    } else if (hasLinesOf(stats, identity, scene.start_frame) && !hasLaterCheckpoint(folder, stats)) {
        start.lost.checkpoint = stats.lines().back().frame;
    } else {
        refuseOtherScene(folder, scene, identity, rules, stats);
        refuseLoss(folder, scene, identity, rules, stats);
    }
    return start;
}

}  // namespace

void requireContinuable(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                        const StartRules& rules)
{
    if (!folder.layout().isUsed() || (!rules.resume && rules.force)) return;
    const StatsFile stats(folder.layout().statsPath());
    if (areOfScene(stats, identity)) return;  // reads no checkpoint
    requireOwnStats(folder.layout(), stats);
    plannedStart(folder, scene, identity, rules, stats, [](const std::string&) {});
}

Start prepareStart(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                   const StartRules& rules, const std::function<void(const std::string&)>& warn)
{
    const CacheLayout& layout = folder.layout();
    if (!layout.isUsed()) return {};
    StatsFile stats(layout.statsPath());
    requireOwnStats(layout, stats);
    if (!rules.resume && rules.force) {
        requireForceable(layout, stats, identity.hash);
        warn("--force replaces the cache in " + folder.path().string() + removedText(layout));
        Start start;
        start.over = true;
        return start;
    }
    std::set<std::string> told;
    const auto warnOnce = [&](const std::string& text) {
        if (told.insert(text).second) warn(text);
    };
    Start start = plannedStart(folder, scene, identity, rules, stats, warnOnce);
    if (start.complete) warnOfForeignCheckpoints(layout, stats, warnOnce);
    if (start.checkpoint) {
        continueFrom(*start.checkpoint, start.complete, folder, identity, stats, warn);
    } else {
        requireOwnPoints(std::numeric_limits<int>::max(), layout, stats, identity.hash);
    }
    if (start.lost.checkpoint) {
        requireOwnCheckpoints(layout, stats, identity.hash);
        removeLater(*start.lost.checkpoint, folder, stats, warn);
    }
    findLostFrames(start, stats, identity, folder, rules, warn);
    return start;
}

}  // namespace firn
