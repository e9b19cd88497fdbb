#pragma once
// A sparse scalar field in bricks of 8^3 cells, trilinear between values at the corners of cells. A brick also stores
// the near faces of its neighbours (9^3 values), so one lookup reads one brick. The edge of a brick's cells is 2^level
// units; bricks of different levels lie beside one another. A table of two levels, with an entry for each 8^3 units,
// finds the bricks. Each brick has upper bounds of the field over its blocks of blockSize()^3 cells: the majorants of
// Woodcock tracking.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "render/simd.h"

namespace firn {

struct Bricks {
    static constexpr int cells = 8;  // of a brick, along an edge
    static constexpr int values = cells + 1;
    static constexpr int chunkCells = 128;  // units along the edge of an entry of the upper table
    static constexpr int chunkBricks = chunkCells / cells;
    static constexpr int maxLevel = 4;  // a brick as large as a chunk
    static constexpr int shiftBit = 24, shiftMask = 3, levelBit = 26;
    static constexpr std::int32_t brickBits = (1 << shiftBit) - 1;
    using Values = std::array<float, values * values * values>;  // z fastest
    /// z fastest. An entry is the number of a brick, with the shift of its blocks in the bits from shiftBit on and its
    /// level in the bits from levelBit on. An entry without a brick is -d: all entries closer than d along every axis
    /// are empty, too.
    using Chunk = std::array<std::int32_t, chunkBricks * chunkBricks * chunkBricks>;

    /// The units that share a majorant with a given one: an aligned cube of `size` units along an edge, and `margin`
    /// units around it.
    struct Block {
        int size = chunkCells;
        int margin = 0;
        float majorant = 0;             // 0 = nothing here
        const float* values = nullptr;  // of the brick
        int level = 0;                  // of the brick
    };
    /// A brick, or a negative number.
    struct Found {
        std::int32_t brick = -1;
        int level = 0;
        bool chunk_empty = false;
    };

    Vec3i cell_min = Vec3i::Zero(), cell_max = Vec3i::Zero();  // bounds of the bricks in units, half open, not negative
    Vec3i chunk_count = Vec3i::Zero();
    std::vector<std::int32_t> chunk_table;  // chunk or -1, z fastest
    std::vector<Chunk> chunks;
    std::vector<Values> bricks;
    std::vector<Vec3i> origins;        // first corner of each brick in units, a multiple of its edge
    std::vector<std::uint8_t> levels;  // of each brick: 0 to maxLevel
    std::vector<float> majorants;      // blocksPerBrick of each brick, z fastest
    int block_shift = 3;               // log2 of the edge of the smallest blocks in cells: 0 to 3

    /// Edge of the smallest blocks, each of which has its entry in `majorants`.
    int blockSize() const { return 1 << block_shift; }
    int blocksPerEdge() const { return cells >> block_shift; }
    int blocksPerBrick() const { return blocksPerEdge() * blocksPerEdge() * blocksPerEdge(); }

    /// The values of all bricks, one brick after the other.
    const float* allValues() const { return bricks.empty() ? nullptr : bricks.front().data(); }

    /// Edge of a brick in units.
    int edgeOf(std::size_t brick) const { return cells << levels[brick]; }

    /// The brick at a unit cell within the bounds.
    Found brickOf(Int4 cell) const
    {
        bool chunkEmpty = false;
        const std::int32_t entry = entryOf(cell, chunkEmpty);
        if (entry < 0) return {entry, 0, chunkEmpty};
        return {entry & brickBits, entry >> levelBit, false};
    }

    /// The block around a unit cell within the bounds.
    Block block(Int4 cell) const
    {
        bool chunkEmpty = false;
        const std::int32_t entry = entryOf(cell, chunkEmpty);
        if (entry < 0) return {chunkEmpty ? chunkCells : cells, (-1 - entry) * cells, 0, nullptr};
        const std::int32_t brick = entry & brickBits;
        const int level = entry >> levelBit;
        const Int4 in = ((cell >> level) & 7) >> block_shift;
        const int n = 3 - block_shift;  // log2 of the smallest blocks along an edge
        return {1 << ((entry >> shiftBit & shiftMask) + level), 0,
                majorants[(brick << 3 * n) + (((in[0] << n) + in[1]) << n) + in[2]], bricks[brick].data(), level};
    }

    /// The coordinates of a point within the brick of this level around a unit cell, in cells of the brick.
    static Float4 localPoint(Float4 point, Int4 cell, int level)
    {
        const float scale = 1 / static_cast<float>(1 << level);
        return (point - toFloat(cell & -(cells << level))) * scale;
    }

    /// Trilinear value at a point of a brick of n^3 cells, in cells from its corner. A point outside gets the value of
    /// the nearest point inside.
    template <int n = cells>
    static float interpolate(const float* brick, Float4 local)
    {
        const Float4 p = min(max(local, float4(0)), float4(n));
        const Int4 i = min(toInt(p), int4(n - 1));
        const Float4 f = p - toFloat(i);
        const float* v = brick + (i[0] * (n + 1) + i[1]) * (n + 1) + i[2];
        const Float4 near = pairs<n + 1>(v), far = pairs<n + 1>(v + (n + 1) * (n + 1));  // (y, z) = 00, 01, 10, 11
        const Float4 face = near + f[0] * (far - near);
        const float low = face[0] + f[1] * (face[2] - face[0]), high = face[1] + f[1] * (face[3] - face[1]);
        return low + f[2] * (high - low);
    }

    /// Value at a point anywhere.
    float at(const Vec3f& point) const;

private:
    /// The entry of a cell within the bounds in its chunk.
    std::int32_t entryOf(Int4 cell, bool& chunkEmpty) const
    {
        const std::int32_t chunk =
            chunk_table[((cell[0] >> 7) * chunk_count.y() + (cell[1] >> 7)) * chunk_count.z() + (cell[2] >> 7)];
        chunkEmpty = chunk < 0;
        if (chunkEmpty) return -1;
        const int x = (cell[0] >> 3) & 15, y = (cell[1] >> 3) & 15, z = (cell[2] >> 3) & 15;
        return chunks[chunk][(x * chunkBricks + y) * chunkBricks + z];
    }

    /// Two neighbours along z, of this row and of the next.
    template <int rowSize>
    static Float4 pairs(const float* row)
    {
        using Float2 = float __attribute__((vector_size(8)));
        Float2 first, second;
        std::memcpy(&first, row, sizeof(first));
        std::memcpy(&second, row + rowSize, sizeof(second));
        return __builtin_shufflevector(first, second, 0, 1, 2, 3);
    }
};

/// Computes cell_min, cell_max, the tables and the majorants from `origins`, `levels` (none = all 0) and `bricks`. The
/// smallest blocks have 2^blockShift cells along an edge; bricks in which larger ones are faster have larger ones.
/// Throws Error(Failed) for about three million bricks and more.
void indexBricks(Bricks& bricks, int blockShift);

}  // namespace firn
