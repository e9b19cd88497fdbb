#include "sim/stiffness_operator.h"

#include "sim/lanes.h"
#include "sim/node_sums.h"
#include "sim/stiffness.h"

namespace firn {

namespace {

/// The constants of a batch of particles in sorted order, as the operator keeps them.
Stiffness<Batch> loadConstants(const Particles& from, std::uint32_t k, int count)
{
    Batch entry[9] = {};
    for (int e = 0; e < 9; ++e)
        std::memcpy(&entry[e], from.F_E[e].data() + k, static_cast<std::size_t>(count) * sizeof(float));
    return {{entry[0], entry[1], entry[2], entry[3], entry[4], entry[5]}, entry[6], entry[7], entry[8]};
}

void storeConstants(const Lanes& lanes, std::uint32_t k, const Stiffness<Batch>& s, Particles& to)
{
    const Batch entry[9] = {s.S.xx, s.S.yy, s.S.zz, s.S.xy, s.S.xz, s.S.yz, s.shear, s.bulk, s.pressure};
    for (int e = 0; e < 9; ++e) lanes.store(to.F_E[e], k, entry[e]);
}

template <class F>
void forEachBatch(const Block& block, const F& f)
{
    const std::uint32_t end = block.first + block.count;
    for (std::uint32_t k = block.first; k < end; k += batchSize) f(k, end);
}

}  // namespace

StiffnessOperator::StiffnessOperator(const Particles& particles, const MaterialTable& materials, const Order& order,
                                     const Grid& grid, bool definite, Particles& scratch)
    : m_particles(particles), m_order(order), m_constants(scratch), m_definite(definite)
{
    scratch.resize(particles.size());
    const float perArea = static_cast<float>(1 / (grid.spacing() * grid.spacing()));  // both gradients' 1/h
    parallelFor(order.blocks.size(), [&](std::size_t b) {
        forEachBatch(order.blocks[b], [&](std::uint32_t k, std::uint32_t end) {
            const Lanes lanes(order, k, end);
            Mat3<Batch> F;
            for (int e = 0; e < 9; ++e) F[e / 3][e % 3] = lanes.load(particles.F_E[e]);
            const MaterialLanes material(materials, particles.material, lanes);
            const Batch factor = lanes.load(particles.stiffness) *
                                 hardeningFactor(lanes.load(particles.J_P), material.hardening, material.max_hardening);
            const Symmetric3<Batch> S = materials.near_rest ? leftStretchNearRest(F) : leftStretch(F);
            const Stiffness<Batch> exact = stiffness(F, S, material.mu0 * factor, material.lambda0 * factor,
                                                     lanes.load(particles.volume0) * perArea);
            storeConstants(lanes, k, definite ? withoutPressure(exact) : exact, scratch);
        });
    });
}

void StiffnessOperator::addCoefficients(NodeVector& s) const
{
    scatterBlocks(
        m_order, [&](int i) { return s.leaf(static_cast<std::size_t>(i)); },
        [&](const Block& block, Tile& sums) {
            CellRows cell(sums);
            forEachBatch(block, [&](std::uint32_t k, std::uint32_t end) {
                const Lanes lanes(m_order, k, end);
                const KernelLanes w(lanes.load(m_particles.offset[0]), lanes.load(m_particles.offset[1]),
                                    lanes.load(m_particles.offset[2]));
                const Stiffness<Batch> constants = loadConstants(m_constants, k, lanes.count);
                const Batch zero = {};
                const FourLanes kappa(zero, (2 * constants.shear + constants.bulk) / 3, zero, zero);
                for (int l = 0; l < lanes.count; ++l) {
                    cell.select(m_order.cell[k + l]);
                    addValue(cell, w[l], kappa[l]);
                }
            });
            cell.flush();
        });
}

void StiffnessOperator::addTo(const NodeVector& u, NodeVector& f) const
{
    scatterBlocks(
        m_order, [&](int i) { return f.leaf(static_cast<std::size_t>(i)); },
        [&](const Block& block, Tile& sums) {
            Tile velocity;
            velocity.load(block, [&](int i) { return u.leaf(static_cast<std::size_t>(i)); });
            CellRows cell(sums);
            forEachBatch(block, [&](std::uint32_t k, std::uint32_t end) {
                const Lanes lanes(m_order, k, end);
                const KernelLanes w(lanes.load(m_particles.offset[0]), lanes.load(m_particles.offset[1]),
                                    lanes.load(m_particles.offset[2]));
                GradientLanes gradient;
                for (int l = 0; l < lanes.count; ++l) gradient.set(l, sumGradient(velocity, m_order.cell[k + l], w[l]));
                gradient.repeatFrom(lanes.count);
                const Stiffness<Batch> constants = loadConstants(m_constants, k, lanes.count);
                const Batch share = m_definite ? definiteShare(constants.S) : broadcast(1);
                const Mat3<Batch> K = stressAnswer(constants, gradient.matrix(), share);
                const Batch zero = {};
                const FourLanes x(K[0][0], K[1][0], K[2][0], zero), y(K[0][1], K[1][1], K[2][1], zero),
                    z(K[0][2], K[1][2], K[2][2], zero);
                for (int l = 0; l < lanes.count; ++l) {
                    cell.select(m_order.cell[k + l]);
                    addTimesSlope(cell, w[l], x[l], y[l], z[l]);
                }
            });
            cell.flush();
        });
}

}  // namespace firn
