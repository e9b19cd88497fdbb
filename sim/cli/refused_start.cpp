#include "sim/cli/refused_start.h"

#include <algorithm>

#include "common/cache/wedge.h"
#include "common/error.h"
#include "common/io/frame_range.h"
#include "sim/cli/cached_lines.h"
#include "sim/cli/own_cache.h"
#include "sim/cli/stats_line.h"

namespace firn {
namespace {

/// How a cache that cannot be continued is simulated anew.
std::string startOverText(const StartRules& rules, bool isForceable = true)
{
    return rules.is_take ? "choose another --out; or, if only this take has changed, move its folder away, and "
                           "wedge.json only if the wedge then refuses it: the wedge simulates the take anew and keeps "
                           "the others"
           : isForceable ? "choose another --out, or start over with --force without --resume"
                         : "choose another --out";
}

std::string checkpointsText(const std::vector<int>& frames)
{
    return (frames.size() == 1 ? "a checkpoint of " : "checkpoints of ") + framesText(frames);
}

/// What helps where the cache is of another scene.
std::string otherSceneAdvice(const CacheFolder& folder, const StartRules& rules)
{
    const std::string undo = "undo the change (--set and --quality count too), ";
    if (rules.is_take) return undo + "or " + startOverText(rules);
    const std::filesystem::path wedge = wedgeFolderOf(folder.path());
    return (wedge.empty()
                ? undo
                : "this is a take of the wedge in " + wedge.string() + ": repeat its 'firn-sim wedge' command, ") +
           "choose another --out, or add --force to continue anyway";
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
    const auto isReadable = [&](int frame) { return folder.hasReadableCheckpoint(frame); };
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

constexpr const char* newCheckpointText =
    "First simulate one more frame with the scene of the last frame and --resume, which makes checkpoints again";

}  // namespace

[[noreturn]] void refuseOldCache(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
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

void refuseLoss(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity, const StartRules& rules,
                const StatsFile& stats)
{
    throw Error(ExitCode::File, loss(folder, stats, identity, scene.start_frame) +
                                    startOverText(rules, isForceable(folder, stats, identity)));
}

}  // namespace firn
