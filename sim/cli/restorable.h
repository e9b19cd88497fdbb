#pragma once
// Which of a cache's lost frames a run can make again.

#include <functional>
#include <string>

#include "sim/cli/cache_folder.h"
#include "sim/cli/start.h"

namespace firn {

/// Finds the damaged and missing frames, and the wanted ones that an earlier run's --frames left out: start.lost.frames
/// and start.unmet. A frame is simulated again, which gives the same bits only if all frames up to it, or since a
/// checkpoint, are of this scene. Others are left as they are: with a warning, or as `unmet` if the user wants them.
/// Those that --frames left out are wanted only if they are chosen now. Throws Error(File) if a file cannot be read, if
/// one that no run wrote is in the place of a frame that was left out, or if a frame is whole and not the listed one.
void findLostFrames(Start& start, const StatsFile& stats, const SceneIdentity& identity, const CacheFolder& folder,
                    const StartRules& rules, const std::function<void(const std::string&)>& warn);

}  // namespace firn
