#include "sim/cli/cache_folder.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "common/io/own_file.h"
#include "sim/cli/own_files.h"
#include "sim/cli/stats_line.h"

namespace firn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* checkpointFormat = "firn-sim checkpoint 1";
constexpr std::size_t checkpointsKept = 2;

void removeFile(const fs::path& path)
{
    std::error_code error;
    fs::remove(path, error);
    if (error) throw Error(ExitCode::File, "cannot remove " + path.string() + ": " + error.message());
}

/// Whether every frame before the checkpoint has a line. The line of the checkpoint's own frame is in the checkpoint.
bool isCovered(const RunCheckpoint& checkpoint, const StatsFile& stats, int startFrame)
{
    for (int frame = startFrame; frame < checkpoint.frame; ++frame) {
        if (!stats.find(frame)) return false;
    }
    return true;
}

std::string copiedText(int found, int frame)
{
    return "holds frame " + std::to_string(found) + ", expected frame " + std::to_string(frame) +
           ": the file was copied or renamed";
}

constexpr const char* otherSceneText = " in stats.jsonl: the file was copied from another cache";

/// Whether a scene is that of a line of `stats`, or `hash`, the scene of the present run.
bool isSceneOf(const StatsFile& stats, const std::string& hash, const std::string& scene)
{
    return scene == hash ||
           std::ranges::any_of(stats.lines(), [&](const StatsLine& line) { return sceneHashOf(line) == scene; });
}

/// Why a checkpoint does not belong to its place in this cache; "" if it does.
std::string misplacedText(const RunCheckpoint& checkpoint, int frame, const StatsFile& stats)
{
    if (checkpoint.frame != frame) return copiedText(checkpoint.frame, frame);
    const StatsLine* line = stats.find(frame);
    if (line == nullptr || sceneHashOf(*line) == checkpoint.identity.hash) return "";
    return "is of another scene than frame " + std::to_string(frame) + otherSceneText;
}

std::string headerTextOf(const RunCheckpoint& about, const CheckpointView& state)
{
    return jsonText(json{{"format", checkpointFormat},
                         {"program", about.identity.program},
                         {"scene_hash", about.identity.hash},
                         {"scene_keys", about.identity.keys},
                         {"frame", about.frame},
                         {"stats_line", about.stats_line},
                         {"simulation", state.header}});
}

}  // namespace

std::string foreignCheckpointText(const CacheLayout& layout, int frame, const StatsFile& stats, const std::string& hash)
{
    const fs::path path = layout.checkpointPath(frame);
    try {
        const json header = parseJson(readCheckpointHeader(path));
        const int found = header.at("frame").get<int>();
        if (found != frame) return copiedText(found, frame);
        const std::string scene = header.at("scene_hash").get<std::string>();
        return isSceneOf(stats, hash, scene) ? "" : std::string("is of another scene than the frames") + otherSceneText;
    } catch (const Error&) {
        return "";
    } catch (const json::exception&) {
        return "";
    }
}

namespace {

/// What the first bytes of a points file tell: "" if they name a scene of this cache and this frame, or neither.
std::string originText(const fs::path& path, int frame, const StatsFile& stats, const std::string& hash)
{
    const std::string scene = sceneHashIn(path);
    if (!scene.empty() && !isSceneOf(stats, hash, scene))
        return "is of another scene, and no run of this cache wrote it";
    const int held = frameNumberIn(path).value_or(frame);
    return held == frame ? "" : copiedText(held, frame);
}

}  // namespace

std::string strayText(const fs::path& path, int frame, const StatsFile& stats, const std::string& hash)
{
    if (!fs::is_regular_file(path) || !isPointsFile(path)) return std::string(foreignText);
    return originText(path, frame, stats, hash);
}

std::string exchangedText(const fs::path& path, int frame, const StatsFile& stats, const std::string& hash)
{
    if (!fs::exists(path)) return "";
    if (!mayBeDamagedPointsFile(path)) return std::string(foreignText);
    return originText(path, frame, stats, hash);
}

CacheFolder::CacheFolder(fs::path folder) : m_layout{std::move(folder)} { prepareFolder(m_layout.folder); }

void CacheFolder::writeScene(const std::string& resolved) const
{
    writeFileChecked(m_layout.scenePath(), std::string(sceneMark) + "\n" + resolved);
}

void CacheFolder::clear() const
{
    // The lines are first: a frame without a line does not count as finished.
    std::vector<fs::path> files{m_layout.statsPath(), m_layout.usdaPath()};
    for (const fs::path& file : filesAfter(std::numeric_limits<int>::min())) files.push_back(file);
    removeFilesTogether(files);
}

std::vector<fs::path> CacheFolder::filesAfter(int frame) const
{
    std::vector<fs::path> files;
    for (const fs::path& pattern : {m_layout.framePattern(), m_layout.frozenPattern(), m_layout.checkpointPattern()}) {
        for (const int found : existingFrames(pattern)) {
            if (found > frame) files.push_back(framePath(pattern, found));
        }
    }
    return files;
}

void CacheFolder::removeAfter(int frame) const { removeFilesTogether(filesAfter(frame)); }

void CacheFolder::pruneCheckpoints(const StatsFile& stats) const
{
    std::vector<int> frames = m_layout.checkpoints();
    std::erase_if(frames, [&](int frame) {
        return !isOwnCheckpoint(m_layout, frame) || !foreignCheckpointText(m_layout, frame, stats, "").empty();
    });
    for (; frames.size() > checkpointsKept; frames.erase(frames.begin())) {
        removeFile(m_layout.checkpointPath(frames.front()));
    }
}

void CacheFolder::writeCheckpoint(const RunCheckpoint& about, const CheckpointView& state) const
{
    firn::writeCheckpoint(m_layout.checkpointPath(about.frame), {headerTextOf(about, state), state.blocks});
}

void CacheFolder::tryToWriteCheckpoint(const RunCheckpoint& about, const CheckpointView& state) const
{
    tryToWriteFile(m_layout.checkpointPath(about.frame), checkpointBytes({headerTextOf(about, state), state.blocks}));
}

std::vector<int> CacheFolder::damagedCheckpoints() const
{
    std::vector<int> frames = m_layout.checkpoints();
    std::erase_if(frames, [&](int frame) {
        try {
            readCheckpoint(m_layout.checkpointPath(frame));
            return true;
        } catch (const Error&) {
            return !isOwnCheckpoint(m_layout, frame);
        }
    });
    return frames;
}

RunCheckpoint CacheFolder::readCheckpoint(const fs::path& file) const
{
    RunCheckpoint result;
    result.state = firn::readCheckpoint(file);
    try {
        const json header = parseJson(result.state.header);
        if (header.at("format") != checkpointFormat)
            throw Error(ExitCode::File,
                        file.string() + ": its format is not \"" + std::string(checkpointFormat) + "\"");
        result.frame = header.at("frame").get<int>();
        result.identity = identityIn(result.state.header);
        result.stats_line = header.at("stats_line").get<std::string>();
        result.state.header = header.at("simulation").get<std::string>();
    } catch (const json::exception& error) {
        throw Error(ExitCode::File, file.string() + ": " + clampText(error.what()));
    }
    return result;
}

std::optional<RunCheckpoint> CacheFolder::newestCheckpoint(const StatsFile& stats, int startFrame,
                                                           const std::function<void(const std::string&)>& warn) const
{
    const std::vector<int> frames = m_layout.checkpoints();
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        try {
            RunCheckpoint checkpoint = readCheckpoint(m_layout.checkpointPath(*frame));
            const std::string why = misplacedText(checkpoint, *frame, stats);
            if (!why.empty()) {
                warn(m_layout.checkpointPath(*frame).string() + " " + why + ", and is not used");
            } else if (isCovered(checkpoint, stats, startFrame)) {
                return checkpoint;
            }
        } catch (const Error& error) {
            warn(error.what());
        }
    }
    return std::nullopt;
}

std::vector<DamagedFile> CacheFolder::damagedFiles(const StatsFile& stats) const
{
    std::vector<DamagedFile> damaged;
    for (const StatsLine& line : stats.lines()) {
        for (const WrittenFile& file : line.files) {
            const FileFault fault = faultOf(m_layout.folder, file);
            if (fault.kind == FileFault::Kind::Unreadable) throw Error(ExitCode::File, fault.text);
            if (fault.kind != FileFault::Kind::None) damaged.push_back({line.frame, file, fault.text});
        }
    }
    return damaged;
}

}  // namespace firn
