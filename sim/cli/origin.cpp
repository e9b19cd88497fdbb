#include "sim/cli/origin.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <sstream>

#include "common/cache/checkpoint.h"
#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/checksum.h"
#include "common/io/json.h"
#include "common/io/own_file.h"
#include "sim/cli/stats_line.h"

namespace firn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* unknownSceneText = "is of another scene, and no stats.jsonl tells whether it is of this cache";

std::string copiedText(int found, int frame)
{
    return "holds frame " + std::to_string(found) + ", expected frame " + std::to_string(frame) +
           ": the file was copied or renamed";
}

/// Whether a scene is that of a line of `stats`, or `hash`, the scene of the present run.
bool isSceneOf(const StatsFile& stats, const std::string& hash, const std::string& scene)
{
    return scene == hash ||
           std::ranges::any_of(stats.lines(), [&](const StatsLine& line) { return sceneHashOf(line) == scene; });
}

/// What a checkpoint's header tells of where it is from.
struct CheckpointOrigin {
    int frame;
    std::string scene;                    // that it goes on with
    std::string frame_scene;              // of its frame, which differs if a changed scene was stopped in the next one
    std::optional<SceneHistory> history;  // checkpoints of earlier versions have none

    explicit CheckpointOrigin(const json& header)
        : frame(header.at("frame").get<int>()),
          scene(header.at("scene_hash").get<std::string>()),
          frame_scene(sceneHashOf({frame, {}, header.at("stats_line").get<std::string>()}))
    {
        if (!header.contains(historyKey)) {
            frame_scene = scene;
            return;
        }
        history.emplace();
        for (const json& span : header.at(historyKey))
            history->push_back({span.at(0).get<int>(), span.at(1).get<int>(), span.at(2).get<std::string>()});
    }
};

std::string sceneAt(int frame, const SceneHistory& history)
{
    const auto found =
        std::ranges::find_if(history, [&](const SceneSpan& s) { return s.first <= frame && frame <= s.last; });
    return found == history.end() ? "" : found->hash;
}

/// Whether the scenes agree where both know one. A line may be missing, because a killed run did not write it or
/// somebody removed it.
bool agrees(const CheckpointOrigin& origin, const StatsFile& stats)
{
    const StatsLine* const own = stats.find(origin.frame);
    if (own != nullptr && sceneHashOf(*own) != origin.frame_scene) return false;
    if (origin.history) {
        return std::ranges::all_of(stats.lines(), [&](const StatsLine& line) {
            return line.frame >= origin.frame || sceneHashOf(line) == sceneAt(line.frame, *origin.history);
        });
    }
    const StatsLine* const before = stats.find(origin.frame - 1);
    if (own != nullptr || stats.lines().empty()) return true;
    return before != nullptr ? sceneHashOf(*before) == origin.scene : isSceneOf(stats, "", origin.scene);
}

/// What the first bytes of a points file tell: "" if they name a scene of this cache and this frame, or neither.
std::string originText(const fs::path& path, int frame, const StatsFile& stats, const std::string& hash)
{
    const std::string scene = sceneHashIn(path);
    if (!scene.empty() && !isSceneOf(stats, hash, scene))
        return stats.lines().empty() ? unknownSceneText : "is of another scene, and no run of this cache wrote it";
    const int held = frameNumberIn(path).value_or(frame);
    return held == frame ? "" : copiedText(held, frame);
}

/// resolved.scene in its parts. Those of earlier versions have no hash.
struct ResolvedScene {
    std::string line, hash, text;

    explicit ResolvedScene(const CacheLayout& layout)
    {
        std::istringstream in(readResolvedScene(layout));
        std::getline(in, line);  // the mark
        std::getline(in, line);
        char digits[17] = "";
        if (std::sscanf(line.c_str(), "# Scene hash %16[0-9a-f], checksum ", digits) == 1) hash = digits;
        text = {std::istreambuf_iterator<char>(in), {}};
    }

    bool isEdited() const { return !hash.empty() && line != sceneOriginLine(text, hash); }
};

/// What the header of a checkpoint tells; none if it cannot be read.
std::optional<CheckpointOrigin> originOf(const fs::path& checkpoint)
{
    try {
        return CheckpointOrigin(parseJson(readCheckpointHeader(checkpoint)));
    } catch (const Error&) {
        return std::nullopt;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

/// The hash of a scene, and the file that tells it.
struct RecordedScene {
    std::string hash;
    fs::path file;
};

/// What tells the scenes of a cache beside its frames and lines: resolved.scene if it is unchanged, and the checkpoints
/// that can be read.
std::vector<RecordedScene> recordedScenes(const CacheLayout& layout)
{
    std::vector<RecordedScene> scenes;
    const ResolvedScene resolved(layout);
    if (!resolved.hash.empty() && !resolved.isEdited()) scenes.push_back({resolved.hash, layout.scenePath()});
    for (const int frame : layout.checkpoints()) {
        const fs::path path = layout.checkpointPath(frame);
        if (const auto origin = originOf(path)) scenes.push_back({origin->frame_scene, path});
    }
    return scenes;
}

/// The name of the first file of a scene that `isWanted` takes; "" without one.
std::string nameOfFirst(const std::vector<RecordedScene>& recorded,
                        const std::function<bool(const std::string&)>& isWanted)
{
    const auto found = std::ranges::find_if(recorded, [&](const RecordedScene& scene) { return isWanted(scene.hash); });
    return found == recorded.end() ? "" : found->file.filename().string();
}

/// Which of stats.jsonl and the frames is from elsewhere, as far as the files that agree with one of them tell it.
std::string verdict(const std::string& withStats, const std::string& withFrames)
{
    if (withStats.empty()) return "it was copied from another cache";
    if (withFrames.empty()) return withStats + " agrees with it, so the frames were copied from another cache";
    return withStats + " agrees with it and " + withFrames +
           " with the frames, so either it or the frames were copied from another cache";
}

}  // namespace

SceneHistory historyBefore(int frame, const StatsFile& stats)
{
    SceneHistory history;
    for (const StatsLine& line : stats.lines()) {
        if (line.frame >= frame) break;
        const std::string hash = sceneHashOf(line);
        const bool isNext = !history.empty() && history.back().hash == hash && history.back().last + 1 == line.frame;
        if (isNext) {
            history.back().last = line.frame;
        } else {
            history.push_back({line.frame, line.frame, hash});
        }
    }
    return history;
}

json historyJson(const SceneHistory& history)
{
    json spans = json::array();
    for (const SceneSpan& span : history) spans.push_back({span.first, span.last, span.hash});
    return spans;
}

std::string foreignCheckpointText(const CacheLayout& layout, int frame, const StatsFile& stats, const std::string& hash)
{
    const std::optional<CheckpointOrigin> origin = originOf(layout.checkpointPath(frame));
    if (!origin) return "";
    if (origin->frame != frame) return copiedText(origin->frame, frame);
    const bool isOwn = agrees(*origin, stats) && (!stats.lines().empty() || hash.empty() || origin->scene == hash);
    if (isOwn) return "";
    if (stats.lines().empty()) return unknownSceneText;
    const bool isResolved =
        sceneHashInResolved(layout) == origin->frame_scene && !isSceneOf(stats, "", origin->frame_scene);
    return std::string("is of another scene than the frames in stats.jsonl: ") +
           (isResolved ? "resolved.scene agrees with it, so either this file, or the frames and stats.jsonl were "
                         "copied from another cache"
                       : "the file was copied from another cache");
}

std::string unusedCheckpointText(const fs::path& path, const std::string& why)
{
    return path.string() + " " + why + ", and is not used";
}

std::string sceneOriginLine(const std::string& resolved, const std::string& sceneHash)
{
    return "# Scene hash " + sceneHash + ", checksum " + checksum(std::as_bytes(std::span(resolved))) + ".";
}

std::string sceneDoubt(const CacheLayout& layout, const StatsFile& stats)
{
    const ResolvedScene resolved(layout);
    if (resolved.hash.empty() || stats.lines().empty()) return "";
    if (resolved.isEdited()) return "was changed after the run wrote it";
    return isSceneOf(stats, "", resolved.hash) ? "" : "is of another scene than the frames";
}

bool isResolvedSceneEdited(const CacheLayout& layout)
{
    return fs::exists(layout.scenePath()) && ResolvedScene(layout).isEdited();
}

std::string sceneHashInResolved(const CacheLayout& layout) { return ResolvedScene(layout).hash; }

std::string strayText(const fs::path& path, int frame, const StatsFile& stats, const std::string& hash)
{
    if (!fs::is_regular_file(path) || !isPointsFile(path)) return std::string(foreignText);
    return originText(path, frame, stats, hash);
}

std::string unlistedText(const fs::path& path, int frame, const StatsFile& stats, const std::string& hash)
{
    std::string why = strayText(path, frame, stats, hash);
    const bool isLate = !stats.lines().empty() && frame > stats.lines().back().frame + 1;
    return why.empty() && isLate ? "has no line in stats.jsonl, so nothing tells whether a run of this cache wrote it"
                                 : why;
}

std::string foreignStatsText(const CacheLayout& layout, const StatsFile& stats)
{
    if (stats.lines().empty()) return "";
    std::set<std::string> ofFrames;
    for (const StatsLine& line : stats.lines()) {
        const WrittenFile* const file = line.snowFile();
        if (file == nullptr || !fs::is_regular_file(layout.folder / file->path)) continue;
        const std::string scene = sceneHashIn(layout.folder / file->path);
        if (scene.empty()) continue;
        if (isSceneOf(stats, "", scene)) return "";
        ofFrames.insert(scene);
    }
    const std::vector<RecordedScene> recorded = recordedScenes(layout);
    const std::string withStats =
        nameOfFirst(recorded, [&](const std::string& scene) { return isSceneOf(stats, "", scene); });
    const std::string withFrames =
        nameOfFirst(recorded, [&](const std::string& scene) { return ofFrames.contains(scene); });
    if (!ofFrames.empty()) return "is of another scene than all frames beside it: " + verdict(withStats, withFrames);
    if (!withStats.empty() || recorded.size() < 2) return "";
    return "is of another scene than " + recorded.front().file.filename().string() + " and " +
           recorded.back().file.filename().string() + ": it was copied from another cache";
}

std::string otherFrameText(const fs::path& path)
{
    try {
        readPointsFile(path);
    } catch (const Error&) {
        return "";
    }
    return "is an undamaged frame and has another checksum than stats.jsonl lists: one of these two files was copied "
           "or changed";
}

std::string exchangedText(const fs::path& path, int frame, const StatsFile& stats, const std::string& hash)
{
    if (!fs::exists(path)) return "";
    if (!mayBeDamagedPointsFile(path)) return std::string(foreignText);
    return originText(path, frame, stats, hash);
}

}  // namespace firn
