#pragma once
// The jobs of the takes of a wedge, and the take that a single cache is of.

#include <string>

#include "common/cache/wedge.h"
#include "render/cli/frames_options.h"

namespace firn {

/// The job of a take, with its own folders and settings. Settings of `job` override those of the wedge.
FramesJob jobOf(const FramesJob& job, const Wedge& wedge, const Take& take);

/// jobOf(), whose pictures carry the take and those settings of `job` that override it. Throws Error if the scene of
/// the take cannot be loaded.
FramesJob namedJobOf(const FramesJob& job, const Wedge& wedge, const Take& take);

/// takeText() of the take that job.cache is the cache of, if it lies in a wedge. "" otherwise, and also, after a
/// warning, if the scene of the job does not have the settings of the take.
std::string takeOfCache(const FramesJob& job);

}  // namespace firn
