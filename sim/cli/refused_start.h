#pragma once
// Why a run does not begin in a folder, and what the user can do.

#include <functional>
#include <string>

#include "sim/cli/cache_folder.h"
#include "sim/cli/start.h"

namespace firn {

/// Refuses an old cache: neither --resume nor --force was given.
[[noreturn]] void refuseOldCache(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                                 const StartRules& rules, const StatsFile& stats);

/// Throws Error(Usage) if the checkpoint is of another scene, unless the rules force the run: then it warns.
void checkSameScene(const RunCheckpoint& checkpoint, const Scene& scene, const SceneIdentity& identity,
                    const CacheFolder& folder, const StartRules& rules,
                    const std::function<void(const std::string&)>& warn);

/// A run of a changed scene replaces no frames: it would, where the checkpoints of the last ones cannot be used. Throws
/// Error(Usage).
void requireNoLoss(const RunCheckpoint& checkpoint, const SceneIdentity& identity, const CacheFolder& folder,
                   const StatsFile& stats);

/// Throws Error(Usage) if no checkpoint can be used because the scene has changed: with the scene of the cache, the
/// frames could be simulated again, or a frame that was begun could be finished.
void refuseOtherScene(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                      const StartRules& rules, const StatsFile& stats);

/// The time of a frame follows from the first frame of the scene, so frames with another first frame cannot follow.
/// Throws Error(Usage).
void requireSameFirstFrame(const CacheFolder& folder, int startFrame, const StartRules& rules, const StatsFile& stats);

/// Throws Error(File) about a cache that cannot be continued.
[[noreturn]] void refuseLoss(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                             const StartRules& rules, const StatsFile& stats);

}  // namespace firn
