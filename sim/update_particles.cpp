#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/block_loops.h"
#include "sim/contact.h"
#include "sim/particle_lanes.h"
#include "sim/simd/node_sums.h"
#include "sim/transfer.h"

namespace firn {

namespace {

/// Sums in double, lane by lane.
struct DoubleLanes {
    double lane[batchSize] = {};

    void operator+=(Batch values)
    {
        float v[batchSize];
        storePair(v, values);
        for (int l = 0; l < batchSize; ++l) lane[l] += v[l];
    }
};

/// Sums and maxima over a block's particles. Unused lanes repeat a particle, which changes no maximum.
struct Tally {
    Batch speed2 = {}, wave2 = {};
    DoubleLanes mass, momentum[3];

    void writeTo(UpdateResult& result) const
    {
        for (int l = 0; l < batchSize; ++l) {
            result.max_speed = std::max(result.max_speed, std::sqrt(static_cast<double>(speed2[l])));
            result.max_wave_speed = std::max(result.max_wave_speed, std::sqrt(static_cast<double>(wave2[l])));
            result.mass += mass.lane[l];
            result.momentum += Vec3d(momentum[0].lane[l], momentum[1].lane[l], momentum[2].lane[l]);
        }
    }
};

void fail(UpdateResult& result, long particle, const char* what)
{
    if (result.failed >= 0) return;
    result.failed = particle;
    result.failure = what;
}

class BlockUpdate {
public:
    BlockUpdate(const Particles& particles, const Materials& materials, const Order& order, const Grid& grid,
                const Contact& contact, double dt, double alpha, Particles& next)
        : m_from(particles),
          m_materials(materials),
          m_order(order),
          m_grid(grid),
          m_contact(contact),
          m_next(next),
          m_dt(dt),
          m_alpha(static_cast<float>(alpha)),
          m_h(grid.spacing())
    {
    }

    UpdateResult run(const Block& block) const
    {
        Tile velocity, blend;
        velocity.load(block.leaves, [&](int leaf) { return m_grid.newVelocity(static_cast<std::size_t>(leaf)); });
        if (!m_from.affine)
            blend.load(block.leaves, [&](int leaf) { return m_grid.blend(static_cast<std::size_t>(leaf)); });
        const std::vector<int> pieces = m_contact.nearTile(block.origin);
        UpdateResult result;
        Tally tally;
        forEachBatch(m_order, block, [&](const Lanes& lanes, std::uint32_t k) {
            GradientLanes gradient;
            Batch v[3];
            if (m_from.affine)
                gatherAffine(velocity, lanes, k, gradient, v);
            else
                gather(velocity, blend, lanes, k, gradient, v);
            deform(lanes, k, gradient.matrix(), tally, result);
            if (!pieces.empty()) collide(lanes, pieces, v);
            move(lanes, k, v, tally, result);
            copyConstants(lanes, k);
        });
        tally.writeTo(result);
        return result;
    }

private:
    /// Reads the grid: the gradient of v_new (times h), and v_p as blend of PIC and FLIP.
    void gather(const Tile& velocity, const Tile& blend, const Lanes& lanes, std::uint32_t k, GradientLanes& gradient,
                Batch (&v)[3]) const
    {
        const KernelLanes w = kernelLanes(m_from, lanes);
        FourLanes blended;
        for (int l = 0; l < lanes.count; ++l) {
            const KernelRows rows = w[l];
            const int cell = m_order.cell[k + l];
            gradient.set(l, sumGradient(velocity, cell, rows));
            blended.set(l, sumValues(blend, cell, rows));
        }
        gradient.repeatFrom(lanes.count);
        blended.repeatFrom(lanes.count);
        blended.columns(v[0], v[1], v[2]);
        for (int a = 0; a < 3; ++a) v[a] += m_alpha * lanes.load(m_from.velocity[a]);
    }

    /// Reads the grid for APIC: the gradient of v_new (times h), v_p as PIC, and C, which is stored.
    void gatherAffine(const Tile& velocity, const Lanes& lanes, std::uint32_t k, GradientLanes& gradient,
                      Batch (&v)[3]) const
    {
        const KernelLanes w = kernelLanes(m_from, lanes);
        GradientLanes moment;
        FourLanes value;
        for (int l = 0; l < lanes.count; ++l) {
            const AffineSums sums = sumAffine(velocity, m_order.cell[k + l], w[l], w.moments(l));
            gradient.set(l, sums.gradient);
            moment.set(l, sums.moment);
            value.set(l, sums.value);
        }
        gradient.repeatFrom(lanes.count);
        value.repeatFrom(lanes.count);
        value.columns(v[0], v[1], v[2]);
        const float scale = static_cast<float>(3 / m_h);  // D^-1 = 3 / h^2, moments are per h
        const Mat3<Batch> C = moment.matrix();
        for (int e = 0; e < 9; ++e) lanes.store(m_next.C[e], k, scale * C[e / 3][e % 3]);
    }

    /// F_E and J_P at the end of the step, and the speed of the waves that they carry.
    void deform(const Lanes& lanes, std::uint32_t k, Mat3<Batch> change, Tally& tally, UpdateResult& result) const
    {
        const float scale = static_cast<float>(m_dt / m_h);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) change[a][b] = scale * change[a][b] + (a == b ? 1.f : 0.f);  // I + dt grad v
        MaterialState<Batch> state = materialState(m_from, lanes);
        state.F_E = change * state.F_E;
        const Batch J = determinant(state.F_E);
        const Batch waveModulus = m_materials.change(m_from.material, lanes, state, [](const auto& model, auto& s) {
            model.plasticReturn(s);
            return model.waveModulus(s);
        });
        for (int e = 0; e < 9; ++e) lanes.store(m_next.F_E[e], k, state.F_E[e / 3][e % 3]);
        lanes.store(m_next.J_P, k, state.J_P);
        const Batch speed2 = waveModulus * lanes.load(m_from.volume0) / lanes.load(m_from.mass);
        tally.wave2 = larger(tally.wave2, speed2);
        const Batch J_P = state.J_P;
        if (all((J > 0.f) & (magnitude(J_P) < std::numeric_limits<float>::max()))) return;
        for (int l = 0; l < lanes.count; ++l)
            if (!(J[l] > 0) || !std::isfinite(J_P[l]))
                fail(result, m_from.id[lanes.index[l]], "has an F_E that is inverted or not finite");
    }

    void collide(const Lanes& lanes, const std::vector<int>& pieces, Batch (&v)[3]) const
    {
        for (int l = 0; l < lanes.count; ++l) {
            const std::int32_t p = lanes.index[l];
            const Vec3d x = position(m_from, static_cast<std::size_t>(p), m_h);
            const Vec3d after = m_contact.collide(pieces, x, Vec3d(v[0][l], v[1][l], v[2][l]));
            for (int a = 0; a < 3; ++a) v[a][l] = static_cast<float>(after[a]);
        }
    }

    void move(const Lanes& lanes, std::uint32_t k, const Batch (&v)[3], Tally& tally, UpdateResult& result) const
    {
        const float scale = static_cast<float>(m_dt / m_h);
        Batch speed2 = {};
        BatchMask within = ~BatchMask{};
        for (int a = 0; a < 3; ++a) {
            const Batch step = scale * v[a];
            within &= magnitude(step) <= 1.f;  // false for NaN too
            speed2 += v[a] * v[a];
            Batch x = lanes.load(m_from.offset[a]) + step;
            BatchMask carry = (x < 0.f) - (x >= 1.f);  // comparisons give -1: back a cell, or on
            x -= toFloats(carry);
            const BatchMask rounded = x >= 1.f;  // a tiny negative offset rounds up to 1
            carry -= rounded;
            x = select(rounded, Batch{}, x);
            lanes.store(m_next.offset[a], k, x);
            lanes.store(m_next.velocity[a], k, v[a]);
            lanes.store(m_next.cell[a], k, lanes.load(m_from.cell[a]) + carry);
        }
        const Batch mass = lanes.load(m_from.mass) * lanes.inUse();
        tally.mass += mass;
        for (int a = 0; a < 3; ++a) tally.momentum[a] += mass * v[a];
        tally.speed2 = larger(tally.speed2, speed2);
        if (all(within)) return;
        for (int l = 0; l < lanes.count; ++l)
            if (!within[l])
                fail(result, m_from.id[lanes.index[l]], "moved by more than a cell, or its velocity is not finite");
    }

    void copyConstants(const Lanes& lanes, std::uint32_t k) const
    {
        lanes.store(m_next.mass, k, lanes.load(m_from.mass));
        lanes.store(m_next.volume0, k, lanes.load(m_from.volume0));
        lanes.store(m_next.modulus_factor, k, lanes.load(m_from.modulus_factor));
        lanes.store(m_next.id, k, lanes.load(m_from.id));
        if (m_materials.regions() > 1) lanes.copy(m_from.material, m_next.material, k);
        if (!m_from.can_sleep) return;
        for (int a = 0; a < 3; ++a) lanes.copy(m_from.anchor[a], m_next.anchor[a], k);
        lanes.copy(m_from.quiet_frames, m_next.quiet_frames, k);
    }

    const Particles& m_from;
    const Materials& m_materials;
    const Order& m_order;
    const Grid& m_grid;
    const Contact& m_contact;
    Particles& m_next;
    double m_dt;
    float m_alpha;
    double m_h;
};

/// In the order of the blocks, so that sums do not depend on threads.
UpdateResult combine(const std::vector<UpdateResult>& parts)
{
    UpdateResult total;
    for (const UpdateResult& part : parts) {
        total.max_speed = std::max(total.max_speed, part.max_speed);
        total.max_wave_speed = std::max(total.max_wave_speed, part.max_wave_speed);
        total.momentum += part.momentum;
        total.mass += part.mass;
        if (part.failed >= 0) fail(total, part.failed, part.failure.c_str());
    }
    return total;
}

}  // namespace

UpdateResult updateParticles(const Particles& particles, const Materials& materials, const Order& order,
                             const Grid& grid, const Contact& contact, double dt, double alpha, Particles& next)
{
    next.keepColumnsOf(particles);
    next.resize(particles.size());
    std::vector<UpdateResult> parts(order.blocks.size());
    const BlockUpdate update(particles, materials, order, grid, contact, dt, alpha, next);
    parallelFor(order.blocks.size(), [&](std::size_t b) { parts[b] = update.run(order.blocks[b]); });
    return combine(parts);
}

}  // namespace firn
