#pragma once
// The line in stats.jsonl and the progress text of a frame.

#include "common/cache/stats.h"
#include "sim/simulation.h"

namespace firn {

/// `endFrame`: the last frame of the run; with it, `info` knows whether a cache is complete.
StatsLine makeStatsLine(const FrameStats& stats, const std::vector<WrittenFile>& files, const std::string& sceneHash,
                        int endFrame);

/// The checksum of the scene that the frame was simulated from; empty when the line has none.
std::string sceneHashOf(const StatsLine& line);

/// The vector instructions that the frame was simulated with (common/instruction_set.h); empty when the line has
/// none.
std::string instructionsOf(const StatsLine& line);

/// "frame 3 was simulated with AVX-512 instructions, and this program uses AVX2"; empty if they are the same or the
/// line has none.
std::string otherInstructionsText(const StatsLine& line);

/// The frame of the last line before the scene hash first differs from that of the first line. `lines` is not empty.
int firstSceneEnd(const std::vector<StatsLine>& lines);

/// The frames after which the scene changes, ascending.
std::vector<int> sceneEnds(const std::vector<StatsLine>& lines);

/// How many scenes the lines are of.
std::size_t sceneCount(const std::vector<StatsLine>& lines);

/// "frame 12/48  31 substeps  dt 0.7-1.3 ms (wave speed)  1.2 M particles  3400 leaves  1.4 GB  8.1 s"
std::string frameText(const FrameStats& stats, int endFrame);

/// The live line.
std::string substepText(const SubstepStatus& status, int endFrame);

/// The most memory that this process has used so far, bytes.
std::uint64_t peakMemory();

}  // namespace firn
