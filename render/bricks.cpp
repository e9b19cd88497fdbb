#include "render/bricks.h"

#include <tbb/parallel_for.h>

#include <cmath>
#include <numeric>

#include "common/error.h"
#include "render/cube.h"

namespace firn {
namespace {

float maximum(const Bricks::Values& values, const Vec3i& first, int size)
{
    float result = 0;
    for (int x = first.x(); x <= first.x() + size; ++x) {
        for (int y = first.y(); y <= first.y() + size; ++y) {
            const float* row = values.data() + (x * Bricks::values + y) * Bricks::values;
            for (int z = first.z(); z <= first.z() + size; ++z) result = std::max(result, row[z]);
        }
    }
    return result;
}

/// The entry of a brick of level 0 with this first cell.
std::int32_t& entryAt(Bricks& bricks, const Vec3i& origin)
{
    const Vec3i c = origin / Bricks::chunkCells, i = (origin - c * Bricks::chunkCells) / Bricks::cells;
    const int inTable = (c.x() * bricks.chunk_count.y() + c.y()) * bricks.chunk_count.z() + c.z();
    const int inChunk = (i.x() * Bricks::chunkBricks + i.y()) * Bricks::chunkBricks + i.z();
    const std::int32_t chunk = bricks.chunk_table[static_cast<std::size_t>(inTable)];
    return bricks.chunks[static_cast<std::size_t>(chunk)][static_cast<std::size_t>(inChunk)];
}

/// Maxima over blocks of 2^shift cells.
std::vector<float> blockMaxima(const Bricks::Values& values, int shift)
{
    const int n = Bricks::cells >> shift;
    std::vector<float> maxima(static_cast<std::size_t>(n * n * n));
    for (int i = 0; i < n * n * n; ++i)
        maxima[static_cast<std::size_t>(i)] = maximum(values, cubeCoordinates(i, n) * (1 << shift), 1 << shift);
    return maxima;
}

/// Calls visit(corner) for each entry of a brick, with its first cell.
template <class Visit>
void forEntries(const Bricks& bricks, std::size_t brick, const Visit& visit)
{
    const int n = 1 << bricks.levels[brick];
    for (int i = 0; i < n * n * n; ++i) visit(bricks.origins[brick] + Bricks::cells * cubeCoordinates(i, n));
}

/// Steps per voxel of a ray's length: borders (the mean chord of a cube is 2/3 of its edge) and tentative collisions.
float costOf(const std::vector<float>& maxima, int shift)
{
    const float mean = std::accumulate(maxima.begin(), maxima.end(), 0.0f) / static_cast<float>(maxima.size());
    return 1.5f / static_cast<float>(1 << shift) + mean;
}

/// Fills the majorants of a brick. Returns the shift of its blocks.
int boundBlocks(const Bricks::Values& values, int smallestShift, float* majorants)
{
    int best = smallestShift;
    std::vector<float> maxima = blockMaxima(values, best);
    for (int shift = smallestShift + 1; shift <= 3; ++shift) {
        std::vector<float> larger = blockMaxima(values, shift);
        if (costOf(larger, shift) >= costOf(maxima, best)) continue;
        best = shift;
        maxima = std::move(larger);
    }
    const int n = Bricks::cells >> smallestShift, coarser = best - smallestShift, m = n >> coarser;
    for (int i = 0; i < n * n * n; ++i) {
        const Vec3i block = cubeCoordinates(i, n).unaryExpr([&](int c) { return c >> coarser; });
        const int coarse = (block.x() * m + block.y()) * m + block.z();
        majorants[i] = maxima[static_cast<std::size_t>(coarse)];
    }
    return best;
}

/// Fills the majorants of all bricks, and enters the shifts of their blocks.
void boundAllBlocks(Bricks& bricks)
{
    const auto perBrick = static_cast<std::size_t>(bricks.blocksPerBrick());
    bricks.majorants.resize(bricks.bricks.size() * perBrick);
    tbb::parallel_for(std::size_t{0}, bricks.bricks.size(), [&](std::size_t b) {
        const int shift = boundBlocks(bricks.bricks[b], bricks.block_shift, &bricks.majorants[b * perBrick]);
        const int entry = (bricks.levels[b] << Bricks::levelBit) + (shift << Bricks::shiftBit) + static_cast<int>(b);
        forEntries(bricks, b, [&](const Vec3i& corner) { entryAt(bricks, corner) = entry; });
    });
}

/// Distances to the nearest brick, in bricks along the axis where it is farthest, up to `farthest`.
class EmptyReach {
public:
    static constexpr int farthest = 15;

    explicit EmptyReach(const Bricks& bricks)
        : m_low(bricks.cell_min / Bricks::cells), m_size((bricks.cell_max - bricks.cell_min) / Bricks::cells)
    {
        constexpr std::size_t most = std::size_t{1} << 26;  // bytes
        m_isKnown = m_size.cast<std::size_t>().prod() <= most;
        if (!m_isKnown) return;
        m_distances.assign(m_size.cast<std::size_t>().prod(), farthest);
        for (std::size_t b = 0; b < bricks.origins.size(); ++b)
            forEntries(bricks, b, [&](const Vec3i& p) { m_distances[indexOf(p / Bricks::cells - m_low)] = 0; });
        for (int axis = 0; axis < 3; ++axis) spread(axis);
    }

    /// Of a brick's place. 1 where it is not known.
    int at(const Vec3i& brick) const
    {
        const Vec3i p = brick - m_low;
        const bool inside = (p.array() >= 0).all() && (p.array() < m_size.array()).all();
        return m_isKnown && inside ? m_distances[indexOf(p)] : 1;
    }

private:
    std::size_t indexOf(const Vec3i& p) const
    {
        const auto x = static_cast<std::size_t>(p.x()), y = static_cast<std::size_t>(p.y());
        return (x * static_cast<std::size_t>(m_size.y()) + y) * static_cast<std::size_t>(m_size.z()) +
               static_cast<std::size_t>(p.z());
    }

    /// The largest coordinate of the nearest brick's offset is the least of all max(offset along the axis, distance
    /// there by the axes before).
    void spread(int axis)
    {
        const int first = (axis + 1) % 3, second = (axis + 2) % 3;
        tbb::parallel_for(0, m_size[first], [&](int i) {
            std::vector<std::uint8_t> line(static_cast<std::size_t>(m_size[axis]));
            for (int j = 0; j < m_size[second]; ++j) {
                Vec3i p;
                p[first] = i;
                p[second] = j;
                for (int k = 0; k < m_size[axis]; ++k) {
                    p[axis] = k;
                    line[static_cast<std::size_t>(k)] = m_distances[indexOf(p)];
                }
                for (int k = 0; k < m_size[axis]; ++k) {
                    p[axis] = k;
                    m_distances[indexOf(p)] = nearest(line, k);
                }
            }
        });
    }

    static std::uint8_t nearest(const std::vector<std::uint8_t>& line, int k)
    {
        const int end = static_cast<int>(line.size());
        int best = line[static_cast<std::size_t>(k)];
        for (int offset = 1; offset < best; ++offset) {
            for (const int at : {k - offset, k + offset}) {
                if (at >= 0 && at < end)
                    best = std::min(best, std::max<int>(offset, line[static_cast<std::size_t>(at)]));
            }
        }
        return static_cast<std::uint8_t>(best);
    }

    Vec3i m_low, m_size;
    bool m_isKnown = false;
    std::vector<std::uint8_t> m_distances;  // z fastest
};

/// Marks the places without bricks with how far the emptiness reaches.
void markEmptiness(Bricks& bricks)
{
    const EmptyReach reach(bricks);
    const Vec3i& count = bricks.chunk_count;
    tbb::parallel_for(0, static_cast<int>(bricks.chunk_table.size()), [&](int c) {
        const std::int32_t chunk = bricks.chunk_table[static_cast<std::size_t>(c)];
        if (chunk < 0) return;
        const Vec3i corner =
            Bricks::chunkBricks * Vec3i(c / (count.y() * count.z()), c / count.z() % count.y(), c % count.z());
        for (int i = 0; i < static_cast<int>(std::tuple_size_v<Bricks::Chunk>); ++i) {
            constexpr int n = Bricks::chunkBricks;
            std::int32_t& brick = bricks.chunks[static_cast<std::size_t>(chunk)][static_cast<std::size_t>(i)];
            if (brick < 0) brick = -reach.at(corner + cubeCoordinates(i, n));
        }
    });
}

/// Values and majorants of all bricks have numbers of 31 bits.
void requireCountable(const Bricks& bricks)
{
    constexpr std::size_t most = (std::size_t{1} << 31) / std::tuple_size_v<Bricks::Values>;
    if (bricks.bricks.size() < most) return;
    throw Error(ExitCode::Failed, "the snow fills " + std::to_string(bricks.bricks.size()) +
                                      " bricks of 8 x 8 x 8 voxels; at most " + std::to_string(most - 1) +
                                      " can be rendered. Larger voxels (render.voxel_m) need fewer");
}

}  // namespace

void indexBricks(Bricks& bricks, int blockShift)
{
    requireCountable(bricks);
    if (bricks.levels.empty()) bricks.levels.resize(bricks.bricks.size());
    bricks.block_shift = blockShift;
    bricks.cell_min = bricks.cell_max = bricks.origins.empty() ? Vec3i::Zero().eval() : bricks.origins.front();
    for (std::size_t b = 0; b < bricks.origins.size(); ++b) {
        bricks.cell_min = bricks.cell_min.cwiseMin(bricks.origins[b]);
        bricks.cell_max = bricks.cell_max.cwiseMax(bricks.origins[b] + Vec3i::Constant(bricks.edgeOf(b)));
    }
    bricks.chunk_count = (bricks.cell_max.array() + Bricks::chunkCells - 1) / Bricks::chunkCells;
    bricks.chunk_table.assign(bricks.chunk_count.cast<std::size_t>().prod(), -1);
    bricks.chunks.clear();
    for (std::size_t b = 0; b < bricks.bricks.size(); ++b) {
        const Vec3i c = bricks.origins[b] / Bricks::chunkCells;
        auto& chunk = bricks.chunk_table[(c.x() * bricks.chunk_count.y() + c.y()) * bricks.chunk_count.z() + c.z()];
        if (chunk < 0) {
            chunk = static_cast<std::int32_t>(bricks.chunks.size());
            bricks.chunks.emplace_back().fill(-1);
        }
    }
    markEmptiness(bricks);
    boundAllBlocks(bricks);
}

float Bricks::at(const Vec3f& point) const
{
    const Vec3i cell = point.array().floor().cast<int>();
    if ((cell.array() < cell_min.array()).any() || (cell.array() >= cell_max.array()).any()) return 0;
    const Int4 at = int4(cell, 0);
    const Found found = brickOf(at);
    if (found.brick < 0) return 0;
    return interpolate(bricks[found.brick].data(), localPoint(float4(point, 0), at, found.level));
}

}  // namespace firn
