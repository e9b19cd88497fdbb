#pragma once
// The names of the files in a cache folder, and their order:
//   resolved.scene        the resolved scene; written first, it marks the folder as one of firn-sim run
//   snow.####.vdb         a frame of particles (points_file.h)
//   frozen.####.vdb       particles that left the simulation in a frame, behind the window (points_file.h)
//   checkpoint.####.firn  the last two states, from which a run can continue (checkpoint.h)
//   stats.jsonl           a line per finished frame (stats.h)
//   snow.usda             the frames for USD programs (usda.h)
//   firn-sim.log          the log (common/io/log.h)
//   .firn-lock            held by the run that writes here (lock.h)
// For each frame the points files are written first, then the checkpoint, then the line of statistics. So whenever the
// program is killed, a frame that has a line is complete, and the checkpoint contains the line that may be missing.

#include <filesystem>
#include <string>
#include <vector>

namespace firn {

/// firn-render's record of the pictures in a folder.
constexpr const char* pictureRecordName = "render_stats.jsonl";

struct CacheLayout {
    std::filesystem::path folder;

    std::filesystem::path framePattern() const { return folder / "snow.####.vdb"; }
    std::filesystem::path frozenPattern() const { return folder / "frozen.####.vdb"; }
    std::filesystem::path checkpointPattern() const { return folder / "checkpoint.####.firn"; }
    std::filesystem::path statsPath() const { return folder / "stats.jsonl"; }
    std::filesystem::path scenePath() const { return folder / "resolved.scene"; }
    std::filesystem::path usdaPath() const { return folder / "snow.usda"; }
    std::filesystem::path lockPath() const { return folder / ".firn-lock"; }

    std::filesystem::path framePath(int frame) const;
    std::filesystem::path frozenPath(int frame) const;
    std::filesystem::path checkpointPath(int frame) const;
    /// Frames for which a points file exists, ascending.
    std::vector<int> frames() const;
    /// Frames in which snow left the simulation, as far as their files exist, ascending.
    std::vector<int> frozenFrames() const;
    /// Frames for which a checkpoint exists, ascending.
    std::vector<int> checkpoints() const;
    /// Whether a run wrote there: a frame, frozen snow, a checkpoint or stats.jsonl.
    bool isUsed() const;
};

/// The resolved scene of a cache as TOML; empty when the folder has none. Reads the caches of earlier versions too,
/// which call the file scene.toml. Throws Error(File).
std::string readResolvedScene(const CacheLayout& layout);

}  // namespace firn
