#pragma once
// A sparse scalar field in bricks of 8^3 cells, trilinear between values at integer coordinates. A brick repeats the
// near faces of its neighbours (9^3 values), so that a lookup touches one brick; bricks are found through a two-level
// table. Each brick carries upper bounds of the field over its blocks of blockSize^3 cells: the majorants of Woodcock
// tracking.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "common/math.h"

namespace firn {

struct Bricks {
    static constexpr int cells = 8;  // of a brick, along an edge
    static constexpr int values = cells + 1;
    static constexpr int chunkCells = 128;  // of an entry of the upper table, along an edge
    static constexpr int chunkBricks = chunkCells / cells;
    using Values = std::array<float, values * values * values>;                       // z fastest
    using Chunk = std::array<std::int32_t, chunkBricks * chunkBricks * chunkBricks>;  // brick or -1, z fastest

    /// Cells around a given one that share a majorant: an aligned cube of `size` cells along an edge.
    struct Block {
        int size = chunkCells;
        float majorant = 0;             // 0 = nothing here
        const float* values = nullptr;  // of the brick
    };

    Vec3i cellMin = Vec3i::Zero(), cellMax = Vec3i::Zero();  // bounds of the bricks, half open, not negative
    Vec3i chunkCount = Vec3i::Zero();
    std::vector<std::int32_t> chunkTable;  // chunk or -1, z fastest
    std::vector<Chunk> chunks;
    std::vector<Values> bricks;
    std::vector<Vec3i> origins;    // first cell of each brick
    std::vector<float> majorants;  // blocksPerBrick of each brick, z fastest
    int blockShift = 3;            // log2 of a block's edge in cells: 0 to 3

    int blockSize() const { return 1 << blockShift; }
    int blocksPerEdge() const { return cells >> blockShift; }
    int blocksPerBrick() const { return blocksPerEdge() * blocksPerEdge() * blocksPerEdge(); }

    /// The brick of a cell within the bounds, or -1; `chunk` says whether its whole chunk is empty.
    std::int32_t brickOf(const Vec3i& cell, bool& chunkEmpty) const
    {
        const std::int32_t chunk =
            chunkTable[((cell.x() >> 7) * chunkCount.y() + (cell.y() >> 7)) * chunkCount.z() + (cell.z() >> 7)];
        chunkEmpty = chunk < 0;
        if (chunkEmpty) return -1;
        const int x = (cell.x() >> 3) & 15, y = (cell.y() >> 3) & 15, z = (cell.z() >> 3) & 15;
        return chunks[chunk][(x * chunkBricks + y) * chunkBricks + z];
    }

    /// The block around a cell within the bounds.
    Block block(const Vec3i& cell) const
    {
        bool chunkEmpty = false;
        const std::int32_t brick = brickOf(cell, chunkEmpty);
        if (brick < 0) return {chunkEmpty ? chunkCells : cells, 0, nullptr};
        const int x = (cell.x() & 7) >> blockShift, y = (cell.y() & 7) >> blockShift, z = (cell.z() & 7) >> blockShift;
        const int n = blocksPerEdge();
        return {blockSize(), majorants[brick * blocksPerBrick() + (x * n + y) * n + z], bricks[brick].data()};
    }

    /// Trilinear value at a point of a brick, in cells from its corner; points outside read the nearest point inside.
    static float interpolate(const float* brick, const Vec3f& local)
    {
        const Vec3f p = local.cwiseMax(0.0F).cwiseMin(static_cast<float>(cells));
        const Vec3i i = p.cast<int>().cwiseMin(cells - 1);
        const Vec3f f = p - i.cast<float>();
        const float* v = brick + (i.x() * values + i.y()) * values + i.z();
        const auto alongZ = [&](const float* row) { return row[0] + f.z() * (row[1] - row[0]); };
        const auto alongY = [&](const float* face) {
            const float near = alongZ(face), far = alongZ(face + values);
            return near + f.y() * (far - near);
        };
        const float near = alongY(v), far = alongY(v + values * values);
        return near + f.x() * (far - near);
    }

    /// Value at a point anywhere.
    float at(const Vec3f& point) const;
};

/// Fills cellMin, cellMax, the tables and the majorants from `origins` and `bricks`. Blocks have 2^blockShift cells
/// along an edge.
void indexBricks(Bricks& bricks, int blockShift);

}  // namespace firn
