#include "sim/transfer.h"

#include "sim/lanes.h"
#include "sim/node_sums.h"

namespace firn {

namespace {

/// (m v, m) of a particle.
Four massVelocity(const Particles& particles, std::uint32_t p)
{
    const float m = particles.mass[p];
    return Four{m * particles.velocity[0][p], m * particles.velocity[1][p], m * particles.velocity[2][p], m};
}

/// A column of m h C: the momentum that APIC adds per cell of distance.
Four affineColumn(const Particles& particles, std::uint32_t p, int column, float spacing)
{
    const float s = particles.mass[p] * spacing;
    return Four{s * particles.C[column][p], s * particles.C[3 + column][p], s * particles.C[6 + column][p], 0};
}

}  // namespace

void rasterize(const Particles& particles, const Order& order, Grid& grid)
{
    const auto add = [&](const Block& block, Tile& tile, const auto& addParticle) {
        CellRows cell(tile);
        for (std::uint32_t k = block.first; k < block.first + block.count; ++k) {
            cell.select(order.cell[k]);
            addParticle(cell, order.index[k]);
        }
        cell.flush();
    };
    const auto plain = [&](CellRows& cell, std::uint32_t p) {
        addValue(cell, KernelRows(particles.offset[0][p], particles.offset[1][p], particles.offset[2][p]),
                 massVelocity(particles, p));
    };
    const float h = static_cast<float>(grid.spacing());
    const auto affine = [&](CellRows& cell, std::uint32_t p) {
        const float fx = particles.offset[0][p], fy = particles.offset[1][p], fz = particles.offset[2][p];
        const KernelRows w(fx, fy, fz);
        addAffine(cell, w, KernelMoments(w, fx, fy, fz), massVelocity(particles, p), affineColumn(particles, p, 0, h),
                  affineColumn(particles, p, 1, h), affineColumn(particles, p, 2, h));
    };
    scatterBlocks(order, fieldOf(grid, &Leaf::momentum), [&](const Block& block, Tile& tile) {
        particles.affine ? add(block, tile, affine) : add(block, tile, plain);
    });
}

void addForces(const Particles& particles, const MaterialTable& materials, const Order& order, Grid& grid)
{
    const float perSpacing = static_cast<float>(-1 / grid.spacing());  // the chain rule's 1/h, and the force's sign
    scatterBlocks(order, fieldOf(grid, &Leaf::force), [&](const Block& block, Tile& tile) {
        CellRows cell(tile);
        for (std::uint32_t k = block.first; k < block.first + block.count; k += batchSize) {
            const Lanes lanes(order, k, block.first + block.count);
            Mat3<Batch> F_E;
            for (int e = 0; e < 9; ++e) F_E[e / 3][e % 3] = lanes.load(particles.F_E[e]);
            const MaterialLanes material(materials, particles.material, lanes);
            const Batch factor = lanes.load(particles.stiffness) *
                                 hardeningFactor(lanes.load(particles.J_P), material.hardening, material.max_hardening);
            const Batch mu = material.mu0 * factor, lambda = material.lambda0 * factor;
            const Symmetric3<Batch> tau =
                materials.near_rest ? kirchhoffStressNearRest(F_E, mu, lambda) : kirchhoffStress(F_E, mu, lambda);
            const Batch scale = lanes.load(particles.volume0) * perSpacing;
            const Batch xx = tau.xx * scale, yy = tau.yy * scale, zz = tau.zz * scale;
            const Batch xy = tau.xy * scale, xz = tau.xz * scale, yz = tau.yz * scale;
            for (int l = 0; l < lanes.count; ++l) {
                const std::int32_t p = lanes.index[l];
                cell.select(order.cell[k + l]);
                addTimesSlope(cell, KernelRows(particles.offset[0][p], particles.offset[1][p], particles.offset[2][p]),
                              Four{xx[l], xy[l], xz[l], 0}, Four{xy[l], yy[l], yz[l], 0}, Four{xz[l], yz[l], zz[l], 0});
            }
        }
        cell.flush();
    });
}

}  // namespace firn
