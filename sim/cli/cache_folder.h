#pragma once
// A cache folder as firn-sim writes it. common/cache/layout.h names its files.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "common/cache/checkpoint.h"
#include "common/cache/layout.h"
#include "common/cache/stats.h"
#include "common/scene/identity.h"

namespace firn {

/// A checkpoint of a run: the state of the simulation, its scene and program, and the stats line of its last finished
/// frame.
struct RunCheckpoint {
    int frame = 0;
    SceneIdentity identity;
    std::string stats_line;
    Checkpoint state;
};

/// A points file that is not as stats.jsonl records it, or that it does not record because --frames left it out.
struct DamagedFile {
    int frame = 0;
    WrittenFile recorded;  // without a checksum: left out
    std::string damage;

    bool isLeftOut() const { return recorded.checksum.empty(); }
};

/// The reason why the file named as the checkpoint of `frame` is not from a run of this cache, such as "is of another
/// scene than the frames in stats.jsonl: the file was copied from another cache". "" if its header cannot be read, or
/// has this frame and a scene hash that is in `stats` or equals `hash`, that of the present run.
std::string foreignCheckpointText(const CacheLayout& layout, int frame, const StatsFile& stats,
                                  const std::string& hash);

/// The same for the points file of `frame`. "" if it is an undamaged points file of Firn with this frame, whose scene
/// hash is in `stats` or equals `hash`. A frame or hash that its first bytes do not contain is not compared.
std::string strayText(const std::filesystem::path& path, int frame, const StatsFile& stats, const std::string& hash);

/// The same for a points file that `stats` lists and that may be damaged. "" too if it is not there.
std::string exchangedText(const std::filesystem::path& path, int frame, const StatsFile& stats,
                          const std::string& hash);

class CacheFolder {
public:
    /// Makes the folder if it does not exist. Throws Error(File) when it cannot be written.
    explicit CacheFolder(std::filesystem::path folder);

    const std::filesystem::path& path() const { return m_layout.folder; }
    const CacheLayout& layout() const { return m_layout; }

    /// Writes resolved.scene, which marks the folder as a cache.
    void writeScene(const std::string& resolved) const;

    /// Removes an earlier run's frames, checkpoints and stats, all or none.
    void clear() const;
    /// Removes frames and checkpoints after `frame`, all or none.
    void removeAfter(int frame) const;
    /// Of the checkpoints that runs of this cache wrote, keeps those of the two latest frames.
    void pruneCheckpoints(const StatsFile& stats) const;

    void writeCheckpoint(const RunCheckpoint& about, const CheckpointView& state) const;
    /// Whether such a checkpoint can be written (tryToWriteFile). Throws Error(File).
    void tryToWriteCheckpoint(const RunCheckpoint& about, const CheckpointView& state) const;
    /// Throws Error(File).
    RunCheckpoint readCheckpoint(const std::filesystem::path& file) const;
    /// The newest readable checkpoint for which all earlier frames have a line in `stats`. Damaged and foreign ones are
    /// skipped and reported to `warn`.
    std::optional<RunCheckpoint> newestCheckpoint(const StatsFile& stats, int startFrame,
                                                  const std::function<void(const std::string&)>& warn) const;
    /// Frames of Firn's checkpoints that cannot be read, ascending.
    std::vector<int> damagedCheckpoints() const;
    /// Files that `stats` lists and that are missing or have another checksum. Reads every one of them.
    std::vector<DamagedFile> damagedFiles(const StatsFile& stats) const;

private:
    /// Frames, frozen snow and checkpoints after `frame`.
    std::vector<std::filesystem::path> filesAfter(int frame) const;

    CacheLayout m_layout;
};

}  // namespace firn
