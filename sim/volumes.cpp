#include "sim/volumes.h"

#include <algorithm>

#include "sim/parallel.h"
#include "sim/simd/kernel.h"
#include "sim/simd/tile.h"

namespace firn {

namespace {

/// sum m_i w_ip over one particle's nodes, kg.
double massAround(const Tile& tile, int cell, const Vec3f& offset)
{
    float w[3][4];
    for (int a = 0; a < 3; ++a) kernelWeights(offset[a], w[a]);
    const float* corner = tile.cell(cell);
    double sum = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 4; ++k)
                sum += static_cast<double>(w[0][i] * w[1][j] * w[2][k]) *
                       corner[i * Tile::planeStride + j * Tile::rowStride + 4 * k + 3];
    return sum;
}

}  // namespace

void measureGridVolumes(const Scene& scene, Particles& particles, Order& order, Grid& grid)
{
    const auto wanted = [&](std::uint8_t material) { return scene.snow[material].volume == VolumeRule::Grid; };
    if (std::none_of(particles.material.begin(), particles.material.end(), wanted)) return;
    order.build(particles);
    grid.activate(order);
    rasterize(particles, order, grid);
    const double h = grid.spacing();
    parallelFor(order.blocks.size(), [&](std::size_t b) {
        const Block& block = order.blocks[b];
        Tile tile;
        tile.load(block.leaves, [&](int leaf) { return grid.momentum(static_cast<std::size_t>(leaf)); });
        for (std::uint32_t k = block.first; k < block.first + block.count; ++k) {
            const std::uint32_t p = order.index[k];
            if (!wanted(particles.material[p])) continue;
            const Vec3f offset(particles.offset[0][p], particles.offset[1][p], particles.offset[2][p]);
            particles.volume0[p] =
                static_cast<float>(particles.mass[p] * h * h * h / massAround(tile, order.cell[k], offset));
        }
    });
}

}  // namespace firn
