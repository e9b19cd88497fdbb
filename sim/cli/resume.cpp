#include "sim/cli/resume.h"

#include <algorithm>
#include <limits>
#include <set>

#include "common/cache/points_file.h"
#include "common/cache/wedge.h"
#include "common/error.h"
#include "common/io/frame_range.h"
#include "sim/cli/own_cache.h"
#include "sim/cli/restorable.h"
#include "sim/cli/restore.h"
#include "sim/cli/stats_line.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

std::vector<int> framesOf(const StatsFile& stats)
{
    std::vector<int> frames;
    for (const StatsLine& line : stats.lines()) frames.push_back(line.frame);
    return frames;
}

/// Whether stats.jsonl has lines, and all are of this scene. Tells it where no checkpoint can.
bool areOfScene(const StatsFile& stats, const SceneIdentity& identity)
{
    return !stats.lines().empty() && std::ranges::all_of(stats.lines(), [&](const StatsLine& line) {
        return sceneHashOf(line) == identity.hash;
    });
}

/// Whether stats.jsonl lists a file for each wanted frame.
bool hasWanted(const StatsFile& stats, const StartRules& rules)
{
    return std::ranges::all_of(rules.frames, [&](int frame) {
        const StatsLine* line = stats.find(frame);
        return line && line->snowFile();
    });
}

/// The first frame of the shot that stats.jsonl has no line of.
int missingLine(const StatsFile& stats, int startFrame)
{
    int frame = startFrame;
    while (stats.find(frame)) ++frame;
    return frame;
}

bool isReadableCheckpoint(const CacheFolder& folder, int frame)
{
    try {
        folder.readCheckpoint(folder.layout().checkpointPath(frame));
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Whether a checkpoint that can be read is of a frame after the last line, which has been lost.
bool hasLaterCheckpoint(const CacheFolder& folder, const StatsFile& stats)
{
    return std::ranges::any_of(folder.layout().checkpoints(), [&](int frame) {
        return frame > stats.lines().back().frame && isReadableCheckpoint(folder, frame);
    });
}

/// Whether stats.jsonl has all lines up to the last one, and they are of this scene: then their frames can be simulated
/// again to continue from there.
bool hasLinesOf(const StatsFile& stats, const SceneIdentity& identity, int startFrame)
{
    return areOfScene(stats, identity) && stats.lines().front().frame == startFrame &&
           missingLine(stats, startFrame) == stats.lines().back().frame + 1;
}

/// Throws Error(File) if --force does not replace the cache, because nothing tells that its files are of it. After a
/// first line or resolved.scene, a file of another scene may be of a run that was killed.
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

/// How a cache that cannot be continued is simulated anew.
std::string startOverText(const StartRules& rules, bool isForceable = true)
{
    return rules.is_take ? "choose another --out; or, if only this take has changed, move its folder away, and "
                           "wedge.json only if the wedge then refuses it: the wedge simulates the take anew and keeps "
                           "the others"
           : isForceable ? "choose another --out, or start over with --force without --resume"
                         : "choose another --out";
}

/// Whether a run of this scene was killed during its first frame: there is nothing else than that frame's files.
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

std::string checkpointsText(const std::vector<int>& frames)
{
    return (frames.size() == 1 ? "a checkpoint of " : "checkpoints of ") + framesText(frames);
}

/// Refuses an old cache: neither --resume nor --force was given.
[[noreturn]] void refuse(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                         const StartRules& rules, const StatsFile& stats)
{
    const std::string where = folder.path().string();
    const std::string held = stats.lines().empty() ? "no finished frame" : framesText(framesOf(stats));
    const std::vector<int> files = folder.layout().frames(), checkpoints = folder.layout().checkpoints();
    if (stats.lines().empty() && !(files.empty() && checkpoints.empty())) {
        throw Error(
            ExitCode::Usage,
            where + " already holds " + (files.empty() ? checkpointsText(checkpoints) : framesText(files)) +
                " and no stats.jsonl that lists them: " +
                (isOnlyFirstFrame(folder, identity, scene.start_frame)
                     ? "--resume simulates that frame again; otherwise "
                     : "") +
                "choose another --out" +
                (isForceable(folder, stats, identity) ? ", or replace them with --force" : ", or move them away"));
    }
    const auto checkpoint = folder.newestCheckpoint(stats, scene.start_frame, identity, [](const std::string&) {});
    const bool same = checkpoint ? checkpoint->identity == identity : areOfScene(stats, identity);
    const bool lacksFrames = stats.lines().empty() || stats.lines().back().frame < rules.frames.back();
    if (same && (lacksFrames || checkpoint) && !hasWanted(stats, rules)) {
        throw Error(ExitCode::Usage, where + " holds an incomplete cache of this simulation (" + held +
                                         "): --resume continues it, --force starts over");
    }
    const bool lacksLines =
        !stats.lines().empty() && missingLine(stats, stats.lines().front().frame) < stats.lines().back().frame;
    const std::string what = same ? "this simulation" : "a cache of another simulation";
    throw Error(
        ExitCode::Usage,
        where + " already holds " + what + " (" + held + "): " +
            (same && !lacksLines
                 ? "--resume restores frames that are damaged or missing and continues with further frames; otherwise "
                 : "") +
            "choose another --out, or replace it with --force");
}

/// What helps where the cache is of another scene.
std::string otherSceneAdvice(const CacheFolder& folder, const StartRules& rules)
{
    const std::string undo = "undo the change (--set and --quality count too), ";
    if (rules.is_take) return undo + "or " + startOverText(rules);
    const fs::path wedge = wedgeFolderOf(folder.path());
    return (wedge.empty()
                ? undo
                : "this is a take of the wedge in " + wedge.string() + ": repeat its 'firn-sim wedge' command, ") +
           "choose another --out, or add --force to continue anyway";
}

void checkSameScene(const RunCheckpoint& checkpoint, const Scene& scene, const SceneIdentity& identity,
                    const CacheFolder& folder, const StartRules& rules,
                    const std::function<void(const std::string&)>& warn)
{
    const std::vector<std::string> found = differences(checkpoint.identity, identity, scene);
    if (found.empty()) return;
    const std::string message =
        "the scene differs from the one simulated in " + folder.path().string() + ":" + listed(found);
    if (!rules.force) throw Error(ExitCode::Usage, message + "\n" + otherSceneAdvice(folder, rules));
    warn(message);
}

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

/// Why the folder cannot be continued, up to where other advice follows.
std::string reasonOfLoss(const CacheFolder& folder, const StatsFile& stats, const SceneIdentity& identity,
                         int startFrame)
{
    const std::vector<int> frames = folder.layout().frames(), checkpoints = folder.layout().checkpoints();
    const auto noLineOf = [](int frame) { return "stats.jsonl has no line of frame " + std::to_string(frame); };
    if (stats.lines().empty() && !frames.empty())
        return "there is no stats.jsonl that lists them: copy it from a backup; otherwise ";
    const bool hasFirst = std::ranges::binary_search(frames, startFrame);
    if (!stats.lines().empty() && stats.lines().front().frame > startFrame && hasFirst)
        return noLineOf(startFrame) + ": copy it from a backup; otherwise ";
    if (checkpoints.empty()) return "there is no checkpoint; ";
    const auto isReadable = [&](int frame) { return isReadableCheckpoint(folder, frame); };
    if (std::ranges::none_of(checkpoints, isReadable)) return "no checkpoint can be read; ";
    const auto isForeign = [&](int frame) {
        return !stats.lines().empty() && !foreignCheckpointText(folder.layout(), frame, stats, "").empty();
    };
    if (std::ranges::all_of(checkpoints, isForeign))
        return std::string("its checkpoints belong to another scene or frame: they were copied or renamed") +
               (hasLinesOf(stats, identity, startFrame)
                    ? ". Move them away, then --resume simulates the frames again to continue; otherwise "
                    : "; ");
    return noLineOf(missingLine(stats, startFrame)) +
           ", which the checkpoints need: copy stats.jsonl from a backup; otherwise ";
}

/// What cannot be continued in the folder, and would be thrown away by a new start, and why. Advice follows.
std::string loss(const CacheFolder& folder, const StatsFile& stats, const SceneIdentity& identity, int startFrame)
{
    const std::vector<int> frames = folder.layout().frames();
    const std::string held = frames.empty() ? checkpointsText(folder.layout().checkpoints()) : framesText(frames);
    return folder.path().string() + " holds " + held + " that cannot be continued, because " +
           reasonOfLoss(folder, stats, identity, startFrame);
}

/// ": frames 1-6 are removed when the new simulation has its first frame"
std::string removedText(const CacheLayout& layout)
{
    const std::vector<int> frames = layout.frames();
    if (frames.empty()) return ", which has no frames";
    return ": " + framesText(frames) + (frames.size() == 1 ? " is" : " are") +
           " removed when the new simulation has its first frame";
}

Start startOver()
{
    Start start;
    start.over = true;
    return start;
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

constexpr const char* newCheckpointText =
    "First simulate one more frame with the scene of the last frame and --resume, which makes checkpoints again";

/// A run of a changed scene replaces no frames: it would, where the checkpoints of the last ones cannot be used. Throws
/// Error(Usage).
void requireNoLoss(const RunCheckpoint& checkpoint, const SceneIdentity& identity, const CacheFolder& folder,
                   const StatsFile& stats)
{
    std::vector<int> later = framesOf(stats);
    std::erase_if(later, [&](int frame) { return frame <= checkpoint.frame; });
    if (later.empty() || checkpoint.identity == identity) return;
    throw Error(ExitCode::Usage, folder.path().string() + ": the newest checkpoint that can be used is that of frame " +
                                     std::to_string(checkpoint.frame) + ", of another scene. This run would replace " +
                                     framesText(later) + ". " + std::string(newCheckpointText) +
                                     ", or choose another --out");
}

/// The files first: if the program is killed in between, lines tell which frames are missing.
void removeLater(int frame, const CacheFolder& folder, StatsFile& stats)
{
    folder.removeAfter(frame);
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
    removeLater(frame, folder, stats);
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

/// Throws Error(Usage) if no checkpoint can be used because the scene has changed: with the scene of the cache, the
/// frames could be simulated again, or a frame that was begun could be finished.
void refuseOtherScene(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                      const StartRules& rules, const StatsFile& stats)
{
    if (stats.lines().empty()) return;
    SceneIdentity cached;
    cached.hash = sceneHashOf(stats.lines().back());
    if (cached.hash == identity.hash || missingLine(stats, scene.start_frame) != stats.lines().back().frame + 1) return;
    if (hasLaterCheckpoint(folder, stats)) return;
    const auto known = cachedIdentity(folder.layout(), cached.hash);
    const std::string list = known ? listed(differences(*known, identity, scene)) : "";
    throw Error(ExitCode::Usage,
                folder.path().string() + " holds " + framesText(framesOf(stats)) + " of another scene" +
                    (list.empty() ? "" : ":" + list + "\n") + (list.empty() ? ", and " : "") +
                    "no checkpoint can be used to continue them with this scene" +
                    (sceneCount(stats.lines()) == 1 ? std::string(". ") + newCheckpointText + "; otherwise " : ": ") +
                    startOverText(rules));
}

/// The time of a frame follows from the first frame of the scene, so frames with another first frame cannot follow.
/// Throws Error(Usage).
void requireSameFirstFrame(const CacheFolder& folder, int startFrame, const StartRules& rules, const StatsFile& stats)
{
    if (stats.lines().empty() || stats.lines().front().frame == startFrame) return;
    const int first = stats.lines().front().frame;
    const std::vector<int> files = folder.layout().frames();
    if (first > startFrame && std::ranges::binary_search(files, startFrame)) return;  // its line has been lost
    throw Error(ExitCode::Usage,
                folder.path().string() + " holds frames that cannot be continued: they begin with frame " +
                    std::to_string(first) + ", and the scene begins with frame " + std::to_string(startFrame) +
                    ". Undo the change of \"frames\", or " + startOverText(rules));
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
    if (!rules.resume) refuse(folder, scene, identity, rules, stats);
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
        return startOver();
    } else if (hasLinesOf(stats, identity, scene.start_frame) && !hasLaterCheckpoint(folder, stats)) {
        start.lost.checkpoint = stats.lines().back().frame;
    } else {
        refuseOtherScene(folder, scene, identity, rules, stats);
        throw Error(ExitCode::File, loss(folder, stats, identity, scene.start_frame) +
                                        startOverText(rules, isForceable(folder, stats, identity)));
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
        return startOver();
    }
    std::set<std::string> told;
    const auto warnOnce = [&](const std::string& text) {
        if (told.insert(text).second) warn(text);
    };
    Start start = plannedStart(folder, scene, identity, rules, stats, warnOnce);
    if (start.over) return start;
    if (start.complete) warnOfForeignCheckpoints(layout, stats, warnOnce);
    if (start.checkpoint) {
        continueFrom(*start.checkpoint, start.complete, folder, identity, stats, warn);
    } else {
        requireOwnPoints(std::numeric_limits<int>::max(), layout, stats, identity.hash);
    }
    if (start.lost.checkpoint) {
        requireOwnCheckpoints(layout, stats, identity.hash);
        removeLater(*start.lost.checkpoint, folder, stats);
    }
    findLostFrames(start, stats, identity, folder, rules, warn);
    return start;
}

}  // namespace firn
