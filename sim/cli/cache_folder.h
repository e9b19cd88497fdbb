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
#include "sim/cli/origin.h"

namespace firn {

/// A checkpoint of a run: the state of the simulation, its scene and program, and the stats line of its last finished
/// frame.
struct RunCheckpoint {
    int frame = 0;
    SceneIdentity identity;
    std::string stats_line;
    SceneHistory history;  // of the frames before; not read back, foreignCheckpointText() compares it
    Checkpoint state;
};

/// A points file that is not as stats.jsonl records it, or that it does not record because --frames left it out.
struct DamagedFile {
    int frame = 0;
    WrittenFile recorded;  // without a checksum: left out
    std::string damage;

    bool isLeftOut() const { return recorded.checksum.empty(); }
};

class CacheFolder {
public:
    /// Makes the folder if it does not exist. Throws Error(File) when it cannot be written.
    explicit CacheFolder(std::filesystem::path folder);

    const std::filesystem::path& path() const { return m_layout.folder; }
    const CacheLayout& layout() const { return m_layout; }

    /// Writes resolved.scene, which marks the folder as a cache. Its second line has the hash of the scene and the
    /// checksum of the text, for sceneDoubt(). A file that was edited since is kept under another name, which is
    /// returned; otherwise "".
    std::filesystem::path writeScene(const std::string& resolved, const std::string& sceneHash) const;

    /// Removes an earlier run's frames, checkpoints and stats, all or none.
    void clear() const;
    /// Removes frames and checkpoints after `frame`, all or none. Points files that `stats` does not list are not
    /// removed: those of the next frame stay, because the run compares them with its own (frame_file.h), and others
    /// get another name, with a warning.
    void removeAfter(int frame, const StatsFile& stats, const std::function<void(const std::string&)>& warn) const;
    /// Points files that `stats` does not list.
    std::vector<std::filesystem::path> unlistedPoints(const StatsFile& stats) const;
    /// Of the checkpoints that runs of this cache wrote, keeps those of the two latest frames.
    void pruneCheckpoints(const StatsFile& stats) const;

    void writeCheckpoint(const RunCheckpoint& about, const CheckpointView& state) const;
    /// Whether such a checkpoint can be written (tryToWriteFile). Throws Error(File).
    void tryToWriteCheckpoint(const RunCheckpoint& about, const CheckpointView& state) const;
    /// Throws Error(File).
    RunCheckpoint readCheckpoint(const std::filesystem::path& file) const;
    /// The newest readable checkpoint for which all earlier frames have a line in `stats`. These are skipped and
    /// reported to `warn`: damaged and foreign ones, and one within a frame of another scene than `identity`, because
    /// that frame would be of both scenes.
    std::optional<RunCheckpoint> newestCheckpoint(const StatsFile& stats, int startFrame, const SceneIdentity& identity,
                                                  const std::function<void(const std::string&)>& warn) const;
    /// Frames of Firn's checkpoints that cannot be read, ascending.
    std::vector<int> damagedCheckpoints() const;
    bool hasReadableCheckpoint(int frame) const;
    /// Files that `stats` lists and that are missing or have another checksum. Reads every one of them.
    std::vector<DamagedFile> damagedFiles(const StatsFile& stats) const;

private:
    /// Frames, frozen snow and checkpoints after `frame`.
    std::vector<std::filesystem::path> filesAfter(int frame) const;

    CacheLayout m_layout;
};

}  // namespace firn
