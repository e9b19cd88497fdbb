#include "sim/cli/resume.h"

#include <algorithm>
#include <limits>

#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/frame_range.h"
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

/// How a cache that cannot be continued is simulated anew.
std::string startOverText(const StartRules& rules)
{
    return rules.is_take ? "move the take's folder away, and wedge.json only if the wedge then refuses it; the wedge "
                           "simulates the take anew and keeps the others"
                         : "choose another --out, or start over with --force without --resume";
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
        throw Error(ExitCode::Usage, where + " already holds " +
                                         (files.empty() ? checkpointsText(checkpoints) : framesText(files)) +
                                         " and no stats.jsonl that lists them: " +
                                         (isOnlyFirstFrame(folder, identity, scene.start_frame)
                                              ? "--resume simulates that frame again; otherwise "
                                              : "") +
                                         "choose another --out, or replace them with --force");
    }
    const auto checkpoint = folder.newestCheckpoint(stats, scene.start_frame, [](const std::string&) {});
    const bool same = checkpoint ? checkpoint->identity == identity : areOfScene(stats, identity);
    if (same && checkpoint && checkpoint->frame < rules.frames.back() && !hasWanted(stats, rules)) {
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

void checkSameScene(const RunCheckpoint& checkpoint, const Scene& scene, const SceneIdentity& identity,
                    const CacheFolder& folder, const StartRules& rules,
                    const std::function<void(const std::string&)>& warn)
{
    const std::vector<std::string> found = differences(checkpoint.identity, identity, scene);
    if (found.empty()) return;
    std::string list;
    for (const std::string& line : found) list += "\n  " + line;
    const std::string message = "the scene differs from the one simulated in " + folder.path().string() + ":" + list;
    if (!rules.force) {
        throw Error(ExitCode::Usage, message + "\nundo the change, " +
                                         (rules.is_take ? "or " + startOverText(rules)
                                                        : "choose another --out, or add --force to continue anyway"));
    }
    warn(message);
}

/// Whether stats.jsonl has a line for each wanted frame: all were simulated, and some perhaps left out by --frames.
bool hasWantedLines(const StatsFile& stats, const StartRules& rules)
{
    return std::ranges::all_of(rules.frames, [&](int frame) { return stats.find(frame) != nullptr; });
}

/// Whether a file in the place of a frame is of this run: a killed run may have left it.
bool isOfRun(const fs::path& path, int frame, const SceneIdentity& identity)
{
    return !fs::exists(path) || (sceneHashIn(path) == identity.hash && frameNumberIn(path) == frame);
}

/// Adds the wanted frames that were simulated and that the earlier run's --frames left out. Throws Error(File) if a
/// file that no run wrote is in the place of one.
void addLeftOut(const StatsFile& stats, const SceneIdentity& identity, const CacheLayout& layout,
                const StartRules& rules, std::vector<DamagedFile>& damaged)
{
    for (const int frame : rules.frames) {
        const StatsLine* line = stats.find(frame);
        if (!line || line->snowFile()) continue;
        const fs::path path = layout.framePath(frame);
        if (!isOfRun(path, frame, identity))
            throw Error(ExitCode::File, path.string() +
                                            " is not a frame of this cache, and the run would replace it: move "
                                            "it away");
        damaged.push_back({frame, {path.filename(), 0, ""}, "left out"});
    }
    std::ranges::stable_sort(damaged, {}, &DamagedFile::frame);
}

/// A damaged frame is simulated again, which gives the same bits only if all frames up to it are of this scene.
void checkRestorable(const std::vector<DamagedFile>& damaged, const StatsFile& stats, const SceneIdentity& identity,
                     const CacheFolder& folder, const StartRules& rules)
{
    const std::vector<StatsLine>& lines = stats.lines();
    const int last = damaged.back().frame;
    for (const StatsLine& line : lines) {
        if (line.frame > last || sceneHashOf(line) == identity.hash) continue;
        const bool hasSeveralScenes = firstSceneEnd(lines) < lines.back().frame;
        const std::string remedy = last <= firstSceneEnd(lines)
                                       ? "with the scene of frame " + std::to_string(lines.front().frame) + ", " +
                                             restoreCommand(folder.path(), hasSeveralScenes, last) + " restores it"
                                       : "copy the file from a backup";
        throw Error(ExitCode::File, (folder.path() / damaged.front().recorded.path).string() + ": " +
                                        (damaged.front().isLeftOut() ? "the earlier run's --frames left it out"
                                                                     : damaged.front().damage) +
                                        "; it cannot be simulated again, because frame " + std::to_string(line.frame) +
                                        " is of another scene: " + remedy + "; otherwise " + startOverText(rules));
    }
}

/// What cannot be continued in the folder, and would be thrown away by a new start, and why. Advice follows.
std::string loss(const CacheFolder& folder, const StatsFile& stats, const SceneIdentity& identity, int startFrame)
{
    const std::vector<int> frames = folder.layout().frames(), checkpoints = folder.layout().checkpoints();
    const bool isReadable = std::ranges::any_of(checkpoints, [&](int frame) {
        try {
            folder.readCheckpoint(folder.layout().checkpointPath(frame));
            return true;
        } catch (const Error&) {
            return false;
        }
    });
    const bool areForeign = std::ranges::all_of(checkpoints, [&](int frame) {
        return !stats.lines().empty() && !foreignCheckpointText(folder.layout(), frame, stats, "").empty();
    });
    const int missing = missingLine(stats, startFrame);
    std::string advice = "; ", reason = checkpoints.empty() ? "there is no checkpoint" : "no checkpoint can be read";
    if (isReadable && areForeign) {
        reason = "its checkpoints belong to another scene or frame: they were copied from elsewhere";
    } else if (isReadable) {
        reason = "stats.jsonl has no line of frame " + std::to_string(missing) +
                 ", which the checkpoints need: copy stats.jsonl from a backup";
        advice = "; otherwise ";
    }
    if (!isReadable && areOfScene(stats, identity) && missing == stats.lines().back().frame + 1) {
        advice = "; --resume --frames " + formatFrames(framesOf(stats)) +
                 " restores those of them that are damaged; otherwise ";
    }
    if (!stats.lines().empty() && stats.lines().front().frame != startFrame) {
        reason = "they begin with frame " + std::to_string(stats.lines().front().frame) +
                 ", and the scene begins with frame " + std::to_string(startFrame);
        advice = "; ";
    }
    const std::string held = frames.empty() ? checkpointsText(checkpoints) : framesText(frames);
    return folder.path().string() + " holds " + held + " that cannot be continued, because " + reason + advice;
}

[[noreturn]] void refuseForeign(const fs::path& path, const std::string& why)
{
    throw Error(ExitCode::File, path.string() + " " + why + ". The run needs this file name: move the file away");
}

/// A run that continues after `frame` replaces damaged frames and removes later ones, which a killed run left. Throws
/// Error(File) for a points file that no run of this cache wrote.
void requireOwnPoints(int frame, const CacheLayout& layout, const StatsFile& stats, const SceneIdentity& identity)
{
    for (const fs::path& pattern : {layout.framePattern(), layout.frozenPattern()}) {
        for (const int found : existingFrames(pattern)) {
            const fs::path path = framePath(pattern, found);
            const StatsLine* const line = stats.find(found);
            const bool isListed = found <= frame && line != nullptr && line->lists(path.filename());
            const std::string why = isListed ? exchangedText(path, found, stats, identity.hash)
                                             : strayText(path, found, stats, identity.hash);
            if (!why.empty()) refuseForeign(path, why);
        }
    }
}

/// A run that continues replaces and removes checkpoints. Throws Error(File) for one that no run of this cache wrote.
void requireOwnCheckpoints(const CacheLayout& layout, const StatsFile& stats, const SceneIdentity& identity)
{
    for (const int found : layout.checkpoints()) {
        const std::string why = foreignCheckpointText(layout, found, stats, identity.hash);
        if (!why.empty()) refuseForeign(layout.checkpointPath(found), why);
    }
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

/// Adds the checkpoint's line if a killed run did not write it, and removes what is later than the checkpoint, unless
/// nothing is left to simulate. Changes nothing if it throws what requireOwnPoints() and requireOwnCheckpoints() throw.
void continueFrom(const RunCheckpoint& checkpoint, bool isComplete, const CacheFolder& folder,
                  const SceneIdentity& identity, StatsFile& stats)
{
    const int frame = checkpoint.frame;
    const bool lacksLine = !stats.find(frame);
    const StatsLine line = parseStatsLine(checkpoint.stats_line, "checkpoint of frame " + std::to_string(frame));
    requireOwnPoints(isComplete ? std::numeric_limits<int>::max() : frame, folder.layout(),
                     lacksLine ? stats.with(line) : stats, identity);
    if (!isComplete) requireOwnCheckpoints(folder.layout(), stats, identity);
    if (lacksLine) stats.add(line);
    if (isComplete) return;
    stats.keepUntil(frame);
    folder.removeAfter(frame);
}

/// How the run begins, before damaged files are looked for. Changes nothing. Throws what prepareStart() throws.
Start plannedStart(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                   const StartRules& rules, const StatsFile& stats, const std::function<void(const std::string&)>& warn)
{
    if (!rules.resume) refuse(folder, scene, identity, rules, stats);
    Start start;
    start.checkpoint = folder.newestCheckpoint(stats, scene.start_frame, warn);
    const int last = *std::ranges::max_element(rules.frames);
    if (areOfScene(stats, identity) && hasWantedLines(stats, rules) &&
        (!start.checkpoint || start.checkpoint->frame < last)) {
        start.checkpoint.reset();  // later ones are gone or damaged, but nothing has to be continued from them
        start.complete = true;
    } else if (start.checkpoint) {
        checkSameScene(*start.checkpoint, scene, identity, folder, rules, warn);
        start.complete = start.checkpoint->frame >= last;
    } else if (stats.lines().empty() && isOnlyFirstFrame(folder, identity, scene.start_frame)) {
        return startOver();
    } else {
        throw Error(ExitCode::File, loss(folder, stats, identity, scene.start_frame) + startOverText(rules));
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
    plannedStart(folder, scene, identity, rules, stats, [](const std::string&) {});
}

Start prepareStart(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                   const StartRules& rules, const std::function<void(const std::string&)>& warn)
{
    if (!folder.layout().isUsed()) return {};
    if (!rules.resume && rules.force) {
        const StatsFile stats(folder.layout().statsPath());
        const bool wasBegun =
            fs::exists(folder.layout().scenePath());  // a run may have been killed before its first line
        if (!stats.lines().empty() || !wasBegun) {
            requireOwnPoints(std::numeric_limits<int>::max(), folder.layout(), stats, identity);
            requireOwnCheckpoints(folder.layout(), stats, identity);
        }
        warn("--force replaces the cache in " + folder.path().string() + removedText(folder.layout()));
        return startOver();
    }
    StatsFile stats(folder.layout().statsPath());
    Start start = plannedStart(folder, scene, identity, rules, stats, warn);
    if (start.over) return start;
    if (start.checkpoint) {
        continueFrom(*start.checkpoint, start.complete, folder, identity, stats);
    } else {
        requireOwnPoints(std::numeric_limits<int>::max(), folder.layout(), stats, identity);
    }
    start.damaged = folder.damagedFiles(stats);
    addLeftOut(stats, identity, folder.layout(), rules, start.damaged);
    if (start.checkpoint && !start.damaged.empty()) checkRestorable(start.damaged, stats, identity, folder, rules);
    return start;
}

}  // namespace firn
