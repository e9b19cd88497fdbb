#include "sim/transfer.h"

#include "sim/block_loops.h"
#include "sim/particle_lanes.h"
#include "sim/simd/node_sums.h"

namespace firn {

namespace {

/// (m v, m) of a batch of particles.
FourLanes massVelocity(const Particles& particles, const Lanes& lanes)
{
    const Batch m = lanes.load(particles.mass);
    return {m * lanes.load(particles.velocity[0]), m * lanes.load(particles.velocity[1]),
            m * lanes.load(particles.velocity[2]), m};
}

/// A column of m h C: the momentum that APIC adds per cell of distance.
FourLanes affineColumn(const Particles& particles, const Lanes& lanes, int column, float spacing)
{
    const Batch s = lanes.load(particles.mass) * spacing;
    return {s * lanes.load(particles.C[column]), s * lanes.load(particles.C[3 + column]),
            s * lanes.load(particles.C[6 + column]), broadcast(0)};
}

void rasterizeBlock(const Particles& particles, const Order& order, const Block& block, CellRows& cell)
{
    forEachBatch(order, block, [&](const Lanes& lanes, std::uint32_t k) {
        const KernelLanes w = kernelLanes(particles, lanes);
        const FourLanes value = massVelocity(particles, lanes);
        for (int l = 0; l < lanes.count; ++l) {
            cell.select(order.cell[k + l]);
            addValue(cell, w[l], value[l]);
        }
    });
}

void rasterizeAffineBlock(const Particles& particles, const Order& order, const Block& block, float h, CellRows& cell)
{
    forEachBatch(order, block, [&](const Lanes& lanes, std::uint32_t k) {
        const KernelLanes w = kernelLanes(particles, lanes);
        const FourLanes value = massVelocity(particles, lanes), x = affineColumn(particles, lanes, 0, h),
                        y = affineColumn(particles, lanes, 1, h), z = affineColumn(particles, lanes, 2, h);
        for (int l = 0; l < lanes.count; ++l) {
            cell.select(order.cell[k + l]);
            addAffine(cell, w[l], w.moments(l), value[l], x[l], y[l], z[l]);
        }
    });
}

}  // namespace

void rasterize(const Particles& particles, const Order& order, Grid& grid)
{
    const float h = static_cast<float>(grid.spacing());
    const auto momentum = [&](int leaf) { return grid.momentum(static_cast<std::size_t>(leaf)); };
    scatterBlocks(order, momentum, [&](const Block& block, Tile& tile) {
        CellRows cell(tile);
        particles.affine ? rasterizeAffineBlock(particles, order, block, h, cell)
                         : rasterizeBlock(particles, order, block, cell);
        cell.flush();
    });
}

void addForces(const Particles& particles, const Materials& materials, const Order& order, Grid& grid)
{
    const float perSpacing = static_cast<float>(-1 / grid.spacing());  // the chain rule's 1/h, and the force's sign
    const auto force = [&](int leaf) { return grid.force(static_cast<std::size_t>(leaf)); };
    scatterBlocks(order, force, [&](const Block& block, Tile& tile) {
        CellRows cell(tile);
        forEachBatch(order, block, [&](const Lanes& lanes, std::uint32_t k) {
            const MaterialState<Batch> state = materialState(particles, lanes);
            const Symmetric3<Batch> stress = materials.evaluate(
                particles.material, lanes, [&](const auto& model) { return model.kirchhoffStress(state); });
            const Symmetric3<Batch> tau = scaled(stress, lanes.load(particles.volume0) * perSpacing);
            const KernelLanes w = kernelLanes(particles, lanes);
            const FourLanes x(tau.xx, tau.xy, tau.xz, broadcast(0)), y(tau.xy, tau.yy, tau.yz, broadcast(0)),
                z(tau.xz, tau.yz, tau.zz, broadcast(0));
            for (int l = 0; l < lanes.count; ++l) {
                cell.select(order.cell[k + l]);
                addTimesSlope(cell, w[l], x[l], y[l], z[l]);
            }
        });
        cell.flush();
    });
}

}  // namespace firn
