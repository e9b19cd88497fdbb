#pragma once
// What stats.jsonl and the checkpoints of a cache tell a run of a scene before it begins.

#include <string>
#include <vector>

#include "sim/cli/cache_folder.h"
#include "sim/cli/start.h"

namespace firn {

/// The frames that have lines.
std::vector<int> framesOf(const StatsFile& stats);

/// Whether stats.jsonl has lines, and all are of this scene. Tells it where no checkpoint can.
bool areOfScene(const StatsFile& stats, const SceneIdentity& identity);

/// Whether stats.jsonl lists a file for each wanted frame.
bool hasWanted(const StatsFile& stats, const StartRules& rules);

/// The first frame of the shot that stats.jsonl has no line of.
int missingLine(const StatsFile& stats, int startFrame);

/// Whether a checkpoint that can be read is of a frame after the last line, which has been lost.
bool hasLaterCheckpoint(const CacheFolder& folder, const StatsFile& stats);

/// Whether stats.jsonl has all lines up to the last one, and they are of this scene: then their frames can be simulated
/// again to continue from there.
bool hasLinesOf(const StatsFile& stats, const SceneIdentity& identity, int startFrame);

/// Throws Error(File) if --force does not replace the cache, because nothing tells that its files are of it. After a
/// first line or resolved.scene, a file of another scene may be of a run that was killed.
void requireForceable(const CacheLayout& layout, const StatsFile& stats, const std::string& hash);

/// Whether requireForceable() accepts the cache.
bool isForceable(const CacheFolder& folder, const StatsFile& stats, const SceneIdentity& identity);

/// Whether a run of this scene was killed during its first frame: there is nothing else than that frame's files.
bool isOnlyFirstFrame(const CacheFolder& folder, const SceneIdentity& identity, int startFrame);

}  // namespace firn
