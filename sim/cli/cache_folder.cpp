#include "sim/cli/cache_folder.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "sim/cli/origin.h"
#include "sim/cli/own_files.h"
#include "sim/state.h"

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

std::string headerTextOf(const RunCheckpoint& about, const CheckpointView& state)
{
    return jsonText(json{{"format", checkpointFormat},
                         {"program", about.identity.program},
                         {"scene_hash", about.identity.hash},
                         {"scene_keys", about.identity.keys},
                         {"frame", about.frame},
                         {historyKey, historyJson(about.history)},
                         {"stats_line", about.stats_line},
                         {"simulation", state.header}});
}

}  // namespace

CacheFolder::CacheFolder(fs::path folder) : m_layout{std::move(folder)} { prepareFolder(m_layout.folder); }

fs::path CacheFolder::writeScene(const std::string& resolved, const std::string& sceneHash) const
{
    fs::path kept = isResolvedSceneEdited(m_layout) ? setAside(m_layout.scenePath()) : fs::path();
    writeFileChecked(m_layout.scenePath(),
                     std::string(sceneMark) + "\n" + sceneOriginLine(resolved, sceneHash) + "\n" + resolved);
    return kept;
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

void CacheFolder::removeAfter(int frame, const StatsFile& stats,
                              const std::function<void(const std::string&)>& warn) const
{
    std::vector<fs::path> files = filesAfter(frame);
    for (const fs::path& path : unlistedPoints(stats)) {
        const bool isLater = std::erase(files, path) > 0;
        if (!isLater || path == m_layout.framePath(frame + 1) || path == m_layout.frozenPath(frame + 1)) continue;
        warn(path.string() + " has no line in stats.jsonl; it is kept in " + setAside(path).string());
    }
    removeFilesTogether(files);
}

std::vector<fs::path> CacheFolder::unlistedPoints(const StatsFile& stats) const
{
    std::vector<fs::path> files;
    for (const fs::path& pattern : {m_layout.framePattern(), m_layout.frozenPattern()}) {
        for (const int frame : existingFrames(pattern)) {
            const StatsLine* const line = stats.find(frame);
            const fs::path path = framePath(pattern, frame);
            if (line == nullptr || !line->lists(path.filename())) files.push_back(path);
        }
    }
    return files;
}

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
    std::erase_if(frames, [&](int frame) { return hasReadableCheckpoint(frame) || !isOwnCheckpoint(m_layout, frame); });
    return frames;
}

bool CacheFolder::hasReadableCheckpoint(int frame) const
{
    try {
        readCheckpoint(m_layout.checkpointPath(frame));
        return true;
    } catch (const Error&) {
        return false;
    }
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
                                                           const SceneIdentity& identity,
                                                           const std::function<void(const std::string&)>& warn) const
{
    const std::vector<int> frames = m_layout.checkpoints();
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        try {
            RunCheckpoint checkpoint = readCheckpoint(m_layout.checkpointPath(*frame));
            const std::string why = foreignCheckpointText(m_layout, *frame, stats, "");
            if (!why.empty()) {
                warn(unusedCheckpointText(m_layout.checkpointPath(*frame), why));
            } else if (checkpoint.identity.hash != identity.hash && isWithinFrame(checkpoint.state)) {
                warn(m_layout.checkpointPath(*frame).string() +
                     " is of a run of another scene that was stopped within frame " + std::to_string(*frame + 1) +
                     ", and is not used");
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
