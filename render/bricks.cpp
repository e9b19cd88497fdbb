#include "render/bricks.h"

#include <tbb/parallel_for.h>

#include <cmath>

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

void boundBlocks(Bricks& bricks)
{
    const int n = bricks.blocksPerEdge(), size = bricks.blockSize();
    bricks.majorants.resize(bricks.bricks.size() * bricks.blocksPerBrick());
    tbb::parallel_for(std::size_t{0}, bricks.bricks.size(), [&](std::size_t b) {
        float* majorant = bricks.majorants.data() + b * bricks.blocksPerBrick();
        for (int i = 0; i < bricks.blocksPerBrick(); ++i) {
            majorant[i] = maximum(bricks.bricks[b], Vec3i(i / (n * n), i / n % n, i % n) * size, size);
        }
    });
}

}  // namespace

void indexBricks(Bricks& bricks, int blockShift)
{
    bricks.block_shift = blockShift;
    bricks.cell_min = bricks.cell_max = bricks.origins.empty() ? Vec3i::Zero().eval() : bricks.origins.front();
    for (const Vec3i& origin : bricks.origins) {
        bricks.cell_min = bricks.cell_min.cwiseMin(origin);
        bricks.cell_max = bricks.cell_max.cwiseMax(origin + Vec3i::Constant(Bricks::cells));
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
        const Vec3i i = (bricks.origins[b] - c * Bricks::chunkCells) / Bricks::cells;
        bricks.chunks[chunk][(i.x() * Bricks::chunkBricks + i.y()) * Bricks::chunkBricks + i.z()] =
            static_cast<std::int32_t>(b);
    }
    boundBlocks(bricks);
}

float Bricks::at(const Vec3f& point) const
{
    const Vec3i cell = point.array().floor().cast<int>();
    if ((cell.array() < cell_min.array()).any() || (cell.array() >= cell_max.array()).any()) return 0;
    bool chunkEmpty = false;
    const std::int32_t brick = brickOf(int4(cell, 0), chunkEmpty);
    return brick < 0 ? 0 : interpolate(bricks[brick].data(), float4(point - origins[brick].cast<float>(), 0));
}

}  // namespace firn
