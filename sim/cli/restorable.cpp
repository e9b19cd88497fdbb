#include "sim/cli/restorable.h"

#include <algorithm>

#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/command_text.h"
#include "common/io/frame_range.h"
#include "sim/cli/stats_line.h"
#include "sim/state.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

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

/// "; frames 3-4 are missing or damaged too", of the files after the first.
std::string otherFilesText(const std::vector<DamagedFile>& files)
{
    std::vector<int> others;
    for (const DamagedFile& file : files)
        if (file.frame != files.front().frame) others.push_back(file.frame);
    others.erase(std::unique(others.begin(), others.end()), others.end());
    if (others.empty()) return "";
    return "; " + framesText(others) + (others.size() == 1 ? " is" : " are") + " missing or damaged too";
}

/// Why files of other scenes cannot be made again, and what to do. `files` has at least one.
std::string unrestorableText(const std::vector<DamagedFile>& files, int foreignFrame, const StatsFile& stats,
                             const CacheFolder& folder)
{
    const std::vector<StatsLine>& lines = stats.lines();
    std::vector<int> ofFirstScene, later;
    for (const DamagedFile& file : files)
        (file.frame <= firstSceneEnd(lines) ? ofFirstScene : later).push_back(file.frame);
    for (std::vector<int>* frames : {&ofFirstScene, &later})
        frames->erase(std::unique(frames->begin(), frames->end()), frames->end());
    std::string remedy;
    if (!ofFirstScene.empty())
        remedy = "with the scene of frame " + std::to_string(lines.front().frame) + ", " +
                 restoreCommand(folder.path(), formatFrames(ofFirstScene)) + " restores " + framesText(ofFirstScene);
    if (!later.empty())
        remedy += (remedy.empty() ? "'firn-sim info " : "; 'firn-sim info ") + shellPath(folder.path()) +
                  "' says how to restore " + framesText(later);
    const std::string others = otherFilesText(files);
    return (folder.path() / files.front().recorded.path).string() + ": " + files.front().damage + others +
           (others.empty() ? "; it" : "; they") + " cannot be simulated again, because frame " +
           std::to_string(foreignFrame) + " is of another scene: " + remedy;
}

/// Whether a checkpoint of a scene is of the frame, or of one before it since which all lines are of that scene.
bool isAfterCheckpoint(int frame, const CacheFolder& folder, const StatsFile& stats, const std::string& sceneHash)
{
    const auto canBeUsed = [&](int found) {
        if (!foreignCheckpointText(folder.layout(), found, stats, "").empty()) return false;
        try {
            const RunCheckpoint checkpoint = folder.readCheckpoint(folder.layout().checkpointPath(found));
            return checkpoint.identity.hash == sceneHash && (found < frame || !isWithinFrame(checkpoint.state));
        } catch (const Error&) {
            return false;  // a warning follows where it is used
        }
    };
    const std::vector<int> checkpoints = folder.layout().checkpoints();
    for (auto found = checkpoints.rbegin(); found != checkpoints.rend(); ++found) {
        const bool isSameScene = std::ranges::all_of(stats.lines(), [&](const StatsLine& line) {
            return line.frame <= *found || line.frame > frame || sceneHashOf(line) == sceneHash;
        });
        if (*found <= frame && isSameScene && canBeUsed(*found)) return true;
    }
    return false;
}

/// "frames 2-3 ... with the scene of frame 1, '...' writes them"
std::string leftOutText(const std::vector<int>& frames, int foreignFrame, const StatsFile& stats,
                        const CacheFolder& folder)
{
    std::vector<int> ofFirstScene = frames;
    std::erase_if(ofFirstScene, [&](int frame) { return frame > firstSceneEnd(stats.lines()); });
    return "an earlier run's --frames left out " + framesText(frames) + ", which cannot be written now: frame " +
           std::to_string(foreignFrame) + " is of another scene" +
           (ofFirstScene.empty() ? ""
                                 : "; with the scene of frame " + std::to_string(stats.lines().front().frame) + ", " +
                                       restoreCommand(folder.path(), formatFrames(ofFirstScene)) + " writes " +
                                       framesText(ofFirstScene));
}

/// Frames before and after those of another scene are not made in one simulation.
void keepTogether(Start& start, int foreignFrame, const std::function<void(const std::string&)>& warn)
{
    std::vector<DamagedFile>& files = start.lost.frames;
    if (files.empty() || files.front().frame > foreignFrame || files.back().frame < foreignFrame) return;
    std::erase_if(files, [&](const DamagedFile& file) { return file.frame > foreignFrame; });
    warn("damaged frames after frame " + std::to_string(foreignFrame) +
         ", which is of another scene, are left: repeat the command to restore them");
}

/// A run that simulates further frames removes old checkpoints. Throws Error(File) if another scene could restore one
/// of the files from them.
void requireNoneNeedsCheckpoints(const std::vector<DamagedFile>& damaged, const std::string& unrestorable,
                                 const StatsFile& stats, const CacheFolder& folder)
{
    for (const DamagedFile& file : damaged) {
        const StatsLine* const line = stats.find(file.frame);
        if (line == nullptr || file.frame <= firstSceneEnd(stats.lines())) continue;  // is made from the first frame
        if (isAfterCheckpoint(file.frame, folder, stats, sceneHashOf(*line)))
            throw Error(ExitCode::File, unrestorable +
                                            ". Do so first: this run would remove the checkpoint that is needed to "
                                            "restore frame " +
                                            std::to_string(file.frame));
    }
}

/// Keeps those that can be made again.
void keepRestorable(Start& start, const StatsFile& stats, const SceneIdentity& identity, const CacheFolder& folder,
                    const StartRules& rules, const std::function<void(const std::string&)>& warn)
{
    const auto isOther = [&](const StatsLine& line) { return sceneHashOf(line) != identity.hash; };
    const auto other = std::ranges::find_if(stats.lines(), isOther);
    if (other == stats.lines().end()) return;
    std::vector<int> leftOut;
    std::vector<DamagedFile> damaged;
    std::erase_if(start.lost.frames, [&](const DamagedFile& file) {
        if (file.frame < other->frame) return false;
        if (file.isLeftOut()) {
            leftOut.push_back(file.frame);
        } else if (isAfterCheckpoint(file.frame, folder, stats, identity.hash)) {
            return false;
        } else {
            damaged.push_back(file);
        }
        return true;
    });
    keepTogether(start, other->frame, warn);
    const auto tell = [&](const std::string& text, bool isWanted) {
        if (isWanted && start.unmet.empty()) {
            start.unmet = text;
        } else {
            warn(text);
        }
    };
    start.is_damaged = !damaged.empty();
    if (!damaged.empty()) {
        const std::string text = unrestorableText(damaged, other->frame, stats, folder);
        if (!start.complete) requireNoneNeedsCheckpoints(damaged, text, stats, folder);
        tell(text, std::ranges::any_of(damaged, [&](const auto& file) {
                 return std::ranges::binary_search(rules.frames, file.frame);
             }));
    }
    if (!leftOut.empty()) tell(leftOutText(leftOut, other->frame, stats, folder), rules.are_chosen);
}

/// A run replaces damaged frames only. Throws Error(File) for one that is undamaged.
void requireDamaged(const std::vector<DamagedFile>& files, const CacheLayout& layout)
{
    for (const DamagedFile& file : files) {
        const fs::path path = layout.folder / file.recorded.path;
        if (file.isLeftOut() || !fs::exists(path)) continue;
        if (const std::string why = otherFrameText(path); !why.empty())
            throw Error(ExitCode::File, path.string() + " " + why +
                                            ". The run would replace it: copy the cache's own stats.jsonl from a "
                                            "backup, or move the frame away");
    }
}

}  // namespace

void findLostFrames(Start& start, const StatsFile& stats, const SceneIdentity& identity, const CacheFolder& folder,
                    const StartRules& rules, const std::function<void(const std::string&)>& warn)
{
    start.lost.frames = folder.damagedFiles(stats);
    requireDamaged(start.lost.frames, folder.layout());
    addLeftOut(stats, identity, folder.layout(), rules, start.lost.frames);
    keepRestorable(start, stats, identity, folder, rules, warn);
}

}  // namespace firn
