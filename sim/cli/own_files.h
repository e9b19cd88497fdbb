#pragma once
// A run replaces only files that a run wrote. The require functions throw Error(File), which names the file of the
// cache folder (common/cache/layout.h) that is foreign, damaged or not readable. The others throw it for files that
// cannot be read.

#include <optional>
#include <vector>

#include "common/cache/layout.h"

namespace firn {

/// Before a run begins. A folder counts as a cache if it has resolved.scene, readable statistics or the content of a
/// checkpoint; in another folder none of the cache's names may exist. In a cache these are refused: resolved.scene
/// without its first line; stats.jsonl with a line that no run writes; snow.usda that is not exactly as a run writes
/// it; a file named as a checkpoint that neither is empty nor begins as one does; a points file that is not in the
/// statistics and that Firn did not write.
void requireOwnFiles(const CacheLayout& layout);

/// During a run, before the files of a frame are written: somebody may have put files into the folder since it began.
/// `found` are points files that were there then: the run compares them with its own (frame_file.h).
void requireOwnFrame(const CacheLayout& layout, int frame, const std::vector<std::filesystem::path>& found);

/// Throws if stats.jsonl begins with lines of a run and a later line is damaged. The message says what to do.
void requireWholeStatistics(const CacheLayout& layout);

/// The frames of the USD layer, none of one that does not exist. Empty if it is not exactly as a run writes it.
std::optional<std::vector<int>> framesOfUsda(const CacheLayout& layout);

/// Whether a run may remove the checkpoint.
bool isOwnCheckpoint(const CacheLayout& layout, int frame);

/// The first line of resolved.scene.
inline constexpr const char* sceneMark = "# Written by firn-sim run: the scene of the cache in this folder.";

}  // namespace firn
