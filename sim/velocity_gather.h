#pragma once
// What the particles of a batch take from the grid in step 8: the gradient of the grid's velocity, the velocity that
// they keep and the velocity that moves them, for each way of transfer.

#include "sim/grid.h"
#include "sim/particle_lanes.h"
#include "sim/simd/node_sums.h"
#include "sim/transfer.h"

namespace firn {

struct Gathered {
    Mat3<Batch> gradient;  // of v_new, times h
    Batch velocity[3];     // v_p at the end of the step, m/s
    Batch travel[3];       // the velocity that moves the particles, m/s
    Batch inverse_mass;    // sum w_ip / m_i, 1/kg; with FLIP only in air
};

/// Reads the nodes that the particles of one block reach.
class VelocityGather {
public:
    /// `grid` must be prepared for the rule (prepareTransfer). C goes to `next`.
    VelocityGather(const Particles& particles, const Order& order, const Block& block, const Grid& grid,
                   const VelocityRule& rule, Particles& next)
        : m_from(particles), m_order(order), m_rule(rule), m_next(next), m_h(static_cast<float>(grid.spacing()))
    {
        m_new.load(block.leaves, [&](int leaf) { return grid.newVelocity(static_cast<std::size_t>(leaf)); });
        if (m_rule.transfer == Transfer::Flip)
            m_old.load(block.leaves, [&](int leaf) { return grid.blend(static_cast<std::size_t>(leaf)); });
        if (m_rule.transfer == Transfer::AffineFlip)
            m_old.load(block.leaves,
                       [&](int leaf) { return grid.oldVelocityAndShare(static_cast<std::size_t>(leaf)); });
    }

    Gathered operator()(const Lanes& lanes, std::uint32_t k) const
    {
        switch (m_rule.transfer) {
            case Transfer::Flip:
                return flip(lanes, k);
            case Transfer::Apic:
                return affine<false>(lanes, k);
            case Transfer::AffineFlip:
                break;
        }
        return affine<true>(lanes, k);
    }

private:
    /// The particle keeps and travels with alpha v_p + sum w_ip (v_new - alpha v_old).
    Gathered flip(const Lanes& lanes, std::uint32_t k) const
    {
        const KernelLanes w = kernelLanes(m_from, lanes);
        GradientLanes gradient;
        FourLanes blended;
        for (int l = 0; l < lanes.count; ++l) {
            const KernelRows rows = w[l];
            const int cell = m_order.cell[k + l];
            gradient.set(l, sumGradient(m_new, cell, rows));
            blended.set(l, sumValues(m_old, cell, rows));
        }
        gradient.repeatFrom(lanes.count);
        blended.repeatFrom(lanes.count);
        Gathered g;
        g.gradient = gradient.matrix();
        blended.columns(g.velocity[0], g.velocity[1], g.velocity[2]);
        const float alpha = static_cast<float>(m_rule.alpha);
        for (int a = 0; a < 3; ++a) g.travel[a] = g.velocity[a] += alpha * lanes.load(m_from.velocity[a]);
        if (m_rule.air.flow) g.inverse_mass = inverseMass(lanes, k);
        return g;
    }

    Batch inverseMass(const Lanes& lanes, std::uint32_t k) const
    {
        const KernelLanes w = kernelLanes(m_from, lanes);
        FourLanes value;
        for (int l = 0; l < lanes.count; ++l) value.set(l, sumValues(m_new, m_order.cell[k + l], w[l]));
        value.repeatFrom(lanes.count);
        Batch velocity[3], inverseMass;
        value.columns(velocity[0], velocity[1], velocity[2], inverseMass);
        return inverseMass;
    }

    /// The particle travels with v = sum w_ip v_new. It keeps v, or with FLIP v + a (v_p - sum w_ip v_old).
    template <bool withFlip>
    Gathered affine(const Lanes& lanes, std::uint32_t k) const
    {
        const KernelLanes w = kernelLanes(m_from, lanes);
        GradientLanes gradient, moment;
        FourLanes value, old;
        for (int l = 0; l < lanes.count; ++l) {
            const KernelRows rows = w[l];
            const int cell = m_order.cell[k + l];
            const AffineSums sums = sumAffine(m_new, cell, rows, w.moments(l));
            gradient.set(l, sums.gradient);
            moment.set(l, sums.moment);
            value.set(l, sums.value);
            if constexpr (withFlip) old.set(l, sumValues(m_old, cell, rows));
        }
        gradient.repeatFrom(lanes.count);
        value.repeatFrom(lanes.count);
        storeAffine(lanes, k, moment.matrix());
        Gathered g;
        g.gradient = gradient.matrix();
        value.columns(g.travel[0], g.travel[1], g.travel[2], g.inverse_mass);
        for (int a = 0; a < 3; ++a) g.velocity[a] = g.travel[a];
        if constexpr (withFlip) addFlip(lanes, old, g);
        return g;
    }

    void addFlip(const Lanes& lanes, FourLanes& oldAndShare, Gathered& g) const
    {
        oldAndShare.repeatFrom(lanes.count);
        Batch old[3], share;
        oldAndShare.columns(old[0], old[1], old[2], share);
        for (int a = 0; a < 3; ++a) g.velocity[a] += share * (lanes.load(m_from.velocity[a]) - old[a]);
    }

    /// C = D^-1 sum w_ip v_i (x_i - x_p)^T with D^-1 = 3 / h^2; the moments are per h.
    void storeAffine(const Lanes& lanes, std::uint32_t k, const Mat3<Batch>& moment) const
    {
        const float scale = 3 / m_h;
        for (int e = 0; e < 9; ++e) lanes.store(m_next.C[e], k, scale * moment[e / 3][e % 3]);
    }

    const Particles& m_from;
    const Order& m_order;
    const VelocityRule& m_rule;
    Particles& m_next;
    float m_h;
    Tile m_new, m_old;  // old: the blend, or v_old and the share of FLIP
};

}  // namespace firn
