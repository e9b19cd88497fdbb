#pragma once
// Where a run begins: in an empty folder, over an old cache, or at a checkpoint.

#include <functional>
#include <optional>
#include <vector>

#include "sim/cli/cache_folder.h"

namespace firn {

struct StartRules {
    bool resume = false;
    bool force = false;
    int start_frame = 1;      // of the scene
    std::vector<int> frames;  // to be written
};

struct Start {
    std::optional<RunCheckpoint> checkpoint;  // nothing: simulate from the first frame
    std::vector<DamagedFile> damaged;         // frames before the checkpoint that must be restored (restore.h)
    bool complete = false;                    // no frame after the checkpoint is wanted
};

/// Brings folder and stats to the state of that start: what the checkpoint does not cover is removed.
/// Throws Error(Usage) when the folder holds something that the rules protect, with the way out, Error(File) when it is
/// damaged.
Start prepareStart(const CacheFolder& folder, const SceneIdentity& identity, const StartRules& rules,
                   const std::function<void(const std::string&)>& warn);

}  // namespace firn
