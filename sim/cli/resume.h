#pragma once
// How a run begins: in an empty folder, in place of an old cache, or at a checkpoint.

#include <functional>
#include <string>

#include "sim/cli/cache_folder.h"
#include "sim/cli/start.h"

namespace firn {

/// Throws what prepareStart() throws about a cache of another simulation or one that cannot be continued. Changes
/// nothing, and finds no damaged frames.
void requireContinuable(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                        const StartRules& rules);

/// Decides how the run of `scene` begins, and removes from the folder what is later than the checkpoint where the run
/// goes on from there. It removes nothing where the run starts over. A cache with lines of all wanted frames is
/// complete without checkpoints too. If no checkpoint can be used, and all lines are of `scene`, the one of the last
/// line is to be restored. Throws Error(Usage) when the rules do not allow to replace or continue the cache,
/// with what the user can do, and Error(File) when the cache is damaged.
Start prepareStart(const CacheFolder& folder, const Scene& scene, const SceneIdentity& identity,
                   const StartRules& rules, const std::function<void(const std::string&)>& warn);

}  // namespace firn
