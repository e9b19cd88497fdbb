#pragma once
// Loops over the blocks of an order and over their particles.

#include "sim/order.h"
#include "sim/parallel.h"
#include "sim/simd/lanes.h"
#include "sim/simd/tile.h"

namespace firn {

/// Calls f(lanes, position in the order) for all particles of a block, a batch at a time.
template <class F>
void forEachBatch(const Order& order, const Block& block, const F& f)
{
    const std::uint32_t end = block.first + block.count;
    for (std::uint32_t k = block.first; k < end; k += batchSize) f(Lanes(order.index, k, end), k);
}

/// Runs f(block, tile) for all blocks with a zeroed tile each, then adds the tile to the leaves; nodesOf(i) gives the
/// floats of leaf i. Blocks of one parity colour share no node, and the colours follow each other: every node is summed
/// in the same order for any number of threads.
template <class NodesOf, class F>
void scatterBlocks(const Order& order, const NodesOf& nodesOf, const F& f)
{
    for (const auto& colour : order.colours)
        parallelFor(colour.size(), [&](std::size_t k) {
            const Block& block = order.blocks[colour[k]];
            Tile tile;
            tile.clear();
            f(block, tile);
            tile.addTo(block.leaves, nodesOf);
        });
}

}  // namespace firn
