#pragma once
// A cache folder as firn-sim keeps it:
//   snow.####.vdb         a frame of snow (points_file.h)
//   checkpoint.####.firn  the last two, to go on from (checkpoint.h)
//   stats.jsonl           a line per finished frame (stats.h)
//   scene.toml            the resolved scene
//   snow.usda             the frames for USD programs
//   .lock                 held by the run that writes here
// Per frame the points file is written first, then the checkpoint, then the stats line: whenever the program is killed,
// a frame with a line is whole, and a checkpoint carries the line that may be missing.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "common/cache/checkpoint.h"
#include "common/cache/stats.h"

namespace firn {

/// What must be the same for a simulation to go on to the same bits.
struct SceneIdentity {
    std::string program;                      // "Firn 0.1.0"
    std::string hash;                         // sceneHash
    std::map<std::string, std::string> keys;  // simulationKeys
};

/// A line per difference: "solver.dx: 0.02 in the cache, 0.01 in the scene".
std::vector<std::string> differences(const SceneIdentity& cached, const SceneIdentity& wanted);

/// A checkpoint of a run: the simulation's state, whose it is, and the stats line of its last finished frame.
struct RunCheckpoint {
    int frame = 0;
    SceneIdentity identity;
    std::string statsLine;
    Checkpoint state;
};

class CacheFolder {
public:
    /// Makes the folder if need be; Error(File) within moments when it cannot be written.
    explicit CacheFolder(std::filesystem::path folder);

    const std::filesystem::path& path() const { return m_folder; }
    std::filesystem::path framePattern() const { return m_folder / "snow.####.vdb"; }
    std::filesystem::path checkpointPattern() const { return m_folder / "checkpoint.####.firn"; }
    std::filesystem::path statsPath() const { return m_folder / "stats.jsonl"; }
    std::filesystem::path scenePath() const { return m_folder / "scene.toml"; }
    std::filesystem::path usdaPath() const { return m_folder / "snow.usda"; }

    /// Any frame, checkpoint or stats of an earlier run.
    bool isUsed() const;
    /// Removes an earlier run's frames, checkpoints and stats.
    void clear() const;
    /// Removes frames and checkpoints after `frame`.
    void removeAfter(int frame) const;
    /// Keeps the checkpoints of the two latest frames.
    void pruneCheckpoints() const;

    void writeCheckpoint(const RunCheckpoint& about, const CheckpointView& state) const;
    /// Throws Error(File).
    RunCheckpoint readCheckpoint(const std::filesystem::path& file) const;
    /// The newest readable checkpoint whose earlier frames all have their line in `stats`; damaged ones are told to
    /// `warn` and passed over.
    std::optional<RunCheckpoint> newestCheckpoint(const StatsFile& stats, int startFrame,
                                                  const std::function<void(const std::string&)>& warn) const;
    /// Error(File) when a file that `stats` lists is missing or has another size.
    void checkFiles(const StatsFile& stats) const;

private:
    std::filesystem::path m_folder;
};

}  // namespace firn
