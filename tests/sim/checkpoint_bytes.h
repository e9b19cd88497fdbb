#pragma once
// The state of a simulation as bytes, to compare two runs and to continue one.

#include <vector>

#include "sim/simulation.h"

namespace firn {

inline std::vector<std::byte> bytesOf(const Simulation& simulation)
{
    std::vector<std::byte> all;
    for (const auto& [name, block] : simulation.checkpoint().blocks) all.insert(all.end(), block.begin(), block.end());
    return all;
}

/// Copies into a checkpoint that can be changed and resumed from.
inline Checkpoint copyOf(const CheckpointView& view)
{
    Checkpoint copy;
    copy.header = view.header;
    for (const auto& [name, block] : view.blocks) copy.blocks[name].assign(block.begin(), block.end());
    return copy;
}

inline void advance(Simulation& simulation, int frames)
{
    for (int i = 0; i < frames; ++i) simulation.advanceFrame({});
}

}  // namespace firn
