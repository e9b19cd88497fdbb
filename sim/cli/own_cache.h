#pragma once
// A run that goes on in a cache replaces and removes only what runs of this cache wrote. These throw Error(File), which
// names the first file that is from elsewhere (origin.h). `hash` is the scene of the run.

#include <string>

#include "common/cache/layout.h"
#include "common/cache/stats.h"

namespace firn {

/// stats.jsonl.
void requireOwnStats(const CacheLayout& layout, const StatsFile& stats);

/// Points files, for a run that continues after frame `last`: it replaces damaged ones, and removes later ones, which a
/// killed run left.
void requireOwnPoints(int last, const CacheLayout& layout, const StatsFile& stats, const std::string& hash);

/// Points files, for a run that starts over: it has named the frames and removes them all.
void requireFirnsPoints(const CacheLayout& layout, const StatsFile& stats, const std::string& hash);

/// Checkpoints.
void requireOwnCheckpoints(const CacheLayout& layout, const StatsFile& stats, const std::string& hash);

}  // namespace firn
