#pragma once
// Bricks (bricks.h) looked up at many points at once.

#include <vector>

#include "render/bricks.h"
#include "render/lanes.h"

namespace firn {

struct BrickLookUp {
    Ints has_chunk, has_brick;
    Ints brick;               // as in Bricks::brickOf()
    Ints block_shift, level;  // where a brick is
};

/// The bricks of cells within the bounds, in the lanes of `lanes`.
inline BrickLookUp findBricks(const Bricks& bricks, Ints x, Ints y, Ints z, Ints lanes)
{
    constexpr int n = Bricks::chunkBricks;
    const Ints chunkAt = ((x >> 7) * bricks.chunk_count.y() + (y >> 7)) * bricks.chunk_count.z() + (z >> 7);
    const Ints chunk = gather(bricks.chunk_table.data(), chunkAt, lanes, ints(-1));
    const Ints brickAt = ((chunk * n + ((x >> 3) & 15)) * n + ((y >> 3) & 15)) * n + ((z >> 3) & 15);
    const std::int32_t* chunks = bricks.chunks.empty() ? nullptr : bricks.chunks.front().data();
    const Ints entry = gather(chunks, brickAt, chunk >= 0, ints(-1));
    const Ints brick = select(entry >= 0, entry & Bricks::brickBits, entry);
    const Ints shift = (entry >> Bricks::shiftBit) & Bricks::shiftMask;
    return {chunk >= 0, entry >= 0, brick, shift, larger(entry >> Bricks::levelBit, Ints{})};
}

/// The coordinate of points within bricks of these levels around unit cells, in cells of the bricks.
inline Floats localCoordinate(Floats p, Ints cell, Ints level)
{
    constexpr int bias = 127, mantissaBits = 23;
    const Floats scale = reinterpret_cast<Floats>((bias - level) << mantissaBits);  // 2^-level
    return (p - toFloats(cell & -(ints(Bricks::cells) << level))) * scale;
}

/// Bricks::interpolate() in the lanes of `lanes`: at (x, y, z) cells from the corners of these bricks of a table, whose
/// bricks have `cells`^3 cells.
template <int cells = Bricks::cells>
Floats interpolateBricks(const float* table, Ints brick, Floats x, Floats y, Floats z, Ints lanes)
{
    constexpr int n = cells + 1;
    const auto clamped = [](Floats p) { return larger(Floats{}, smaller(p, floats(cells))); };
    const auto cellOf = [](Floats p) { return smaller(toInts(p), ints(cells - 1)); };
    x = clamped(x), y = clamped(y), z = clamped(z);
    const Ints i = cellOf(x), j = cellOf(y), k = cellOf(z);
    const Floats fx = x - toFloats(i), fy = y - toFloats(j), fz = z - toFloats(k);
    const Ints at = brick * (n * n * n) + (i * n + j) * n + k;
    const auto alongZ = [&](int row) {
        const Neighbours v = gatherNeighbours(table + row * n, at, lanes);
        return v.first + fz * (v.second - v.first);
    };
    const Floats v00 = alongZ(0), v01 = alongZ(1), v10 = alongZ(n), v11 = alongZ(n + 1);
    const Floats near = v00 + fy * (v01 - v00), far = v10 + fy * (v11 - v10);
    return near + fx * (far - near);
}

/// The lanes with points within the bounds of the bricks.
inline Ints areInside(const Bricks& bricks, Floats x, Floats y, Floats z)
{
    const Vec3f low = bricks.cell_min.cast<float>(), high = bricks.cell_max.cast<float>();
    return (x >= low.x()) & (x < high.x()) & (y >= low.y()) & (y < high.y()) & (z >= low.z()) & (z < high.z());
}

/// Bricks::at() in the lanes of `lanes`; 0 in the others.
inline Floats valuesAt(const Bricks& bricks, Floats x, Floats y, Floats z, Ints lanes)
{
    const Ints i = toInts(x), j = toInts(y), k = toInts(z);
    const BrickLookUp at = findBricks(bricks, i, j, k, lanes & areInside(bricks, x, y, z));
    const auto local = [&](Floats p, Ints cell) { return localCoordinate(p, cell, at.level); };
    return interpolateBricks(bricks.allValues(), at.brick, local(x, i), local(y, j), local(z, k), at.has_brick);
}

}  // namespace firn
