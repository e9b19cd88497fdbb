#pragma once
// Damaged frames of a cache are made again, to the bits that stats.jsonl records.

#include <optional>
#include <vector>

#include "common/io/progress.h"
#include "common/scene/scene.h"
#include "sim/cli/cache_folder.h"
#include "sim/simulation.h"

namespace firn {

/// The text of the command that restores damaged frames and writes those that --frames left out. If the cache has
/// frames of several scenes, `frames` are those that it restores ("" otherwise), and the user must give their scene as
/// SCENE; other frames stay as they are. A wedge has a command of its own.
std::string restoreCommand(const std::filesystem::path& folder, const std::string& frames);

/// What is to be made again.
struct LostFiles {
    std::vector<DamagedFile> frames;  // ascending by frame
    std::optional<int> checkpoint;    // of this frame, where no checkpoint can be used; it must have a line
};

/// Writes each lost file again: from the checkpoint of its frame where one is left, else by simulating up to it, from
/// the newest checkpoint before the first of them or from the start. Files that --frames left out are written too, and
/// listed in `stats`. A simulation restores damaged checkpoints too, with the lines of `stats`. Nothing else in the
/// folder changes. Returns false when a stop was requested before all were written; then the simulation of a lost
/// checkpoint goes on from there the next time. Throws Error(File) when the bits are not the recorded ones, as on
/// another kind of machine.
bool restoreFiles(const LostFiles& lost, const Scene& scene, const CacheFolder& folder, const SceneIdentity& identity,
                  StatsFile& stats, Progress& progress);

}  // namespace firn
