#include "sim/transfer.h"

#include "sim/lanes.h"
#include "sim/tile.h"

namespace firn {

namespace {

/// Adds w_ip (m v, m) of one particle to the rows of its cell.
void addMomentum(CellRows& cell, const KernelRows& w, Four massVelocity)
{
    const Row alongZ = w.z * repeat(massVelocity);
    for (int i = 0; i < 4; ++i) {
        const Row plane = w.x[i] * alongZ;
        for (int j = 0; j < 4; ++j) cell.rows[4 * i + j] += w.y[j] * plane;
    }
}

/// Adds T grad w_ip of one particle, T symmetric, to the rows of its cell.
void addForce(CellRows& cell, const KernelRows& w, Four columnX, Four columnY, Four columnZ)
{
    const Row fromX = w.z * repeat(columnX), fromY = w.z * repeat(columnY), fromZ = w.slopeZ * repeat(columnZ);
    for (int i = 0; i < 4; ++i) {
        const Row alongX = w.slopeX[i] * fromX + w.x[i] * fromZ;
        const Row alongY = w.x[i] * fromY;
        for (int j = 0; j < 4; ++j) cell.rows[4 * i + j] += w.y[j] * alongX + w.slopeY[j] * alongY;
    }
}

}  // namespace

void rasterize(const Particles& particles, const Order& order, Grid& grid)
{
    scatterBlocks(order, grid, &Leaf::momentum, [&](const Block& block, Tile& tile) {
        CellRows cell(tile);
        for (std::uint32_t k = block.first; k < block.first + block.count; ++k) {
            const std::uint32_t p = order.index[k];
            cell.select(order.cell[k]);
            const float m = particles.mass[p];
            const Four massVelocity = {m * particles.velocity[0][p], m * particles.velocity[1][p],
                                       m * particles.velocity[2][p], m};
            addMomentum(cell, KernelRows(particles.offset[0][p], particles.offset[1][p], particles.offset[2][p]),
                        massVelocity);
        }
        cell.flush();
    });
}

void addForces(const Particles& particles, const MaterialTable& materials, const Order& order, Grid& grid)
{
    const float perSpacing = static_cast<float>(-1 / grid.spacing());  // the chain rule's 1/h, and the force's sign
    scatterBlocks(order, grid, &Leaf::force, [&](const Block& block, Tile& tile) {
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
                addForce(cell, KernelRows(particles.offset[0][p], particles.offset[1][p], particles.offset[2][p]),
                         Four{xx[l], xy[l], xz[l], 0}, Four{xy[l], yy[l], yz[l], 0}, Four{xz[l], yz[l], zz[l], 0});
            }
        }
        cell.flush();
    });
}

}  // namespace firn
