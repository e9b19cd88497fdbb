#include "sim/order.h"

#include <algorithm>

#include "common/leaf_key.h"
#include "sim/parallel.h"

namespace firn {

namespace {

constexpr std::size_t chunkSize = 8192;

/// The particles of one chunk that begin in a leaf: how many, and where their part of the leaf's list starts.
struct LeafRun {
    LeafKey key;
    std::uint32_t count;
    std::uint32_t start;
};

/// Finds the run of a key. It tries the last one first, because neighbours in memory mostly share their leaf.
struct RunTable {
    std::vector<LeafRun> runs;
    std::size_t last = 0;

    LeafRun& find(LeafKey key)
    {
        if (last < runs.size() && runs[last].key == key) return runs[last];
        for (last = 0; last < runs.size(); ++last)
            if (runs[last].key == key) return runs[last];
        runs.push_back({key, 0, 0});
        return runs.back();
    }
};

LeafKey keyOf(const Particles& particles, std::size_t p)
{
    const auto leaf = [&](int a) { return (particles.cell[a][p] - 1) >> 3; };  // of the kernel's first node
    return leafKey(leaf(0), leaf(1), leaf(2));
}

template <class F>
void forEachInChunk(std::size_t chunk, std::size_t count, const F& f)
{
    const std::size_t end = std::min(count, (chunk + 1) * chunkSize);
    for (std::size_t p = chunk * chunkSize; p < end; ++p) f(p);
}

/// Makes the blocks from the runs of all chunks, in the order of their keys, and sets where each run starts.
std::vector<Block> makeBlocks(std::vector<RunTable>& chunks)
{
    std::vector<LeafRun*> runs;
    for (RunTable& chunk : chunks)
        for (LeafRun& run : chunk.runs) runs.push_back(&run);
    std::stable_sort(runs.begin(), runs.end(), [](const LeafRun* a, const LeafRun* b) { return a->key < b->key; });
    std::vector<Block> blocks;
    std::uint32_t position = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i == 0 || runs[i]->key != runs[i - 1]->key) {
            Block block;
            block.origin = leafSize * leafOfKey(runs[i]->key);
            block.first = position;
            blocks.push_back(block);
        }
        runs[i]->start = position;
        position += runs[i]->count;
        blocks.back().count += runs[i]->count;
    }
    return blocks;
}

/// Stable counting sort of one block's particles by cell; the order's index holds them in previous order.
void sortByCell(const Particles& particles, Block& block, Order& order)
{
    const auto begin = order.index.begin() + block.first;
    const std::vector<std::uint32_t> unsorted(begin, begin + block.count);
    constexpr int cells = leafSize * leafSize * leafSize;
    std::array<std::uint32_t, cells + 1> start{};
    Vec3i highest = Vec3i::Zero();
    const auto cellOf = [&](std::uint32_t p) {
        const Vec3i base =
            Vec3i(particles.cell[0][p], particles.cell[1][p], particles.cell[2][p]) - Vec3i::Ones() - block.origin;
        highest = highest.cwiseMax(base);
        return static_cast<std::uint16_t>(base.x() * 64 + base.y() * 8 + base.z());
    };
    for (std::uint32_t k = 0; k < block.count; ++k) ++start[cellOf(unsorted[k]) + 1];
    for (int c = 0; c < cells; ++c) start[c + 1] += start[c];
    for (std::uint32_t k = 0; k < block.count; ++k) {
        const std::uint32_t p = unsorted[k];
        const std::uint16_t cell = cellOf(p);
        const std::uint32_t to = block.first + start[cell]++;
        order.index[to] = p;
        order.cell[to] = cell;
    }
    for (int a = 0; a < 3; ++a) block.reaches_forward[a] = highest[a] + 3 >= leafSize;
}

}  // namespace

void Order::build(const Particles& particles)
{
    const std::size_t count = particles.size();
    std::vector<RunTable> chunks((count + chunkSize - 1) / chunkSize);
    parallelFor(chunks.size(), [&](std::size_t c) {
        forEachInChunk(c, count, [&](std::size_t p) { ++chunks[c].find(keyOf(particles, p)).count; });
    });
    blocks = makeBlocks(chunks);
    index.resize(count);
    parallelFor(chunks.size(), [&](std::size_t c) {
        forEachInChunk(c, count, [&](std::size_t p) {
            index[chunks[c].find(keyOf(particles, p)).start++] = static_cast<std::uint32_t>(p);
        });
    });
    cell.resize(count);
    parallelFor(blocks.size(), [&](std::size_t b) { sortByCell(particles, blocks[b], *this); });
    for (auto& colour : colours) colour.clear();
    for (std::size_t b = 0; b < blocks.size(); ++b) colours[blocks[b].colour()].push_back(static_cast<int>(b));
}

std::size_t Order::bytes() const
{
    return index.capacity() * sizeof(index[0]) + cell.capacity() * sizeof(cell[0]) + blocks.capacity() * sizeof(Block);
}

}  // namespace firn
