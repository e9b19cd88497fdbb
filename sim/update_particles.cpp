#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "common/snow/seams.h"
#include "sim/air.h"
#include "sim/block_loops.h"
#include "sim/contact.h"
#include "sim/near_cells.h"
#include "sim/powder.h"
#include "sim/velocity_gather.h"

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

/// The fastest wave in a block, as a mean over the mass of 2 x 2 x 2 cells. A node gathers the stiffness and the mass
/// of all particles of its kernel, so one stiff particle among soft ones does not bound the step alone. Two thirds of
/// the speed of any particle's wave are a lower bound: with longer steps, single crumbs leave the edges of bodies
/// faster.
class BlockWaves {
public:
    /// Unused lanes repeat a used one. `cells`: as in Order::cell.
    void add(const std::uint16_t* cells, int count, Batch mass, Batch speed2)
    {
        float m[batchSize], product[batchSize];
        storePair(m, mass);
        storePair(product, mass * speed2);
        for (int l = 0; l < count;) {
            const int part = cells[l] & partBits;
            Part& of = m_parts[placeOf(part)];
            Part sum = of;
            for (; l < count && (cells[l] & partBits) == part; ++l) {  // cells are sorted
                sum.mass += m[l];
                sum.product += product[l];
            }
            of = sum;
        }
        m_fastest2 = larger(m_fastest2, speed2);
    }
    double fastest() const
    {
        float most = 0;
        for (int l = 0; l < batchSize; ++l) most = std::max(most, 4.f / 9 * m_fastest2[l]);
        for (const Part& part : m_parts)
            if (part.mass > 0) most = std::max(most, part.product / part.mass);
        return std::sqrt(static_cast<double>(most));
    }

private:
    struct Part {
        float mass = 0, product = 0;  // sums of the mass, and of the mass times the square of the speed
    };
    static constexpr int partBits = 0b110110110;  // of a cell: two cells along each axis
    static std::size_t placeOf(int part)
    {
        return static_cast<std::size_t>((part >> 7) << 4 | (part >> 4 & 3) << 2 | (part >> 1 & 3));
    }

    std::array<Part, 64> m_parts = {};
    Batch m_fastest2 = {};  // of a particle
};

/// Sums and maxima over a block's particles. Unused lanes repeat a particle, which changes no maximum.
struct Tally {
    Batch speed2 = {};
    BlockWaves waves;
    DoubleLanes mass, momentum[3];

    void writeTo(UpdateResult& result) const
    {
        result.max_wave_speed = waves.fastest();
        for (int l = 0; l < batchSize; ++l) {
            result.max_speed = std::max(result.max_speed, std::sqrt(static_cast<double>(speed2[l])));
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
                const Contact* contact, const VelocityRule& rule, Particles& next)
        : m_from(particles),
          m_materials(materials),
          m_order(order),
          m_grid(grid),
          m_contact(contact),
          m_rule(rule),
          m_next(next),
          m_h(grid.spacing())
    {
    }

    UpdateResult run(const Block& block) const
    {
        const VelocityGather gather(m_from, m_order, block, m_grid, m_rule, m_next);
        NearPieces pieces;
        if (m_contact) pieces = NearPieces(*m_contact, block.origin, m_h, 0);
        UpdateResult result;
        Tally tally;
        forEachBatch(m_order, block, [&](const Lanes& lanes, std::uint32_t k) {
            Gathered g = gather(lanes, k);
            deform(lanes, k, g.gradient, tally, result);
            if (pieces.any()) collide(lanes, k, pieces, g);
            if (m_rule.air.flow) drag(lanes, g);
            move(lanes, k, g.travel, tally, result);
            keep(lanes, k, g, tally);
            copyConstants(lanes, k);
        });
        tally.writeTo(result);
        return result;
    }

private:
    /// F_E and J_P at the end of the step, and the speed of the waves that they carry.
    void deform(const Lanes& lanes, std::uint32_t k, Mat3<Batch> change, Tally& tally, UpdateResult& result) const
    {
        const float scale = static_cast<float>(m_rule.dt_s / m_h);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) change[a][b] = scale * change[a][b] + (a == b ? 1.f : 0.f);  // I + dt grad v
        MaterialState<Batch> state = materialState(m_from, lanes);
        state.F_E = change * state.F_E;
        const Batch J = determinant(state.F_E);
        const Batch stored = m_from.has_powder ? energy(lanes, state) : Batch{};
        const Batch waveModulus = m_materials.change(m_from.material, lanes, state, [](const auto& model, auto& s) {
            model.plasticReturn(s);
            return model.waveModulus(s);
        });
        for (int e = 0; e < 9; ++e) lanes.store(m_next.F_E[e], k, state.F_E[e / 3][e % 3]);
        lanes.store(m_next.J_P, k, state.J_P);
        if (m_from.has_powder) grind(lanes, k, stored - energy(lanes, state));
        const Batch mass = lanes.load(m_from.mass), speed2 = waveModulus * lanes.load(m_from.volume0) / mass;
        tally.waves.add(&m_order.cell[k], lanes.count, mass, speed2);
        const Batch J_P = state.J_P;
        if (all((J > 0.f) & (magnitude(J_P) < std::numeric_limits<float>::max()))) return;
        for (int l = 0; l < lanes.count; ++l)
            if (!(J[l] > 0) || !std::isfinite(J_P[l]))
                fail(result, m_from.id[lanes.index[l]], "has an elastic deformation that is inverted or not finite");
    }

    /// Elastic energy of the particles, J. This and grind() stay out of the loop that scenes without powder run.
    [[gnu::noinline]] Batch energy(const Lanes& lanes, const MaterialState<Batch>& state) const
    {
        return lanes.load(m_from.volume0) * m_materials.evaluate(m_from.material, lanes, [&](const auto& model) {
            return model.energyDensity(state);
        });
    }

    /// What `work` (J), the plastic work of the step, adds to the ground share of the mass. Packing that makes snow
    /// stiffer can bring energy; it grinds nothing.
    [[gnu::noinline]] void grind(const Lanes& lanes, std::uint32_t k, const Batch& work) const
    {
        Batch share{}, perWork{};
        for (int l = 0; l < batchSize; ++l) {
            const Grinding& of = m_rule.grinding[m_from.material[lanes.index[l]]];
            share[l] = of.share;
            perWork[l] = of.per_work;
        }
        const Batch ground = 1 - naturalExponential(-perWork * larger(work, Batch{}) / lanes.load(m_from.mass));
        const Batch before = lanes.load(m_from.loosened);
        lanes.store(m_next.loosened, k, before + larger(share - before, Batch{}) * ground);
    }

    static Vec3d travelOf(const Gathered& g, int lane)
    {
        return {g.travel[0][lane], g.travel[1][lane], g.travel[2][lane]};
    }

    /// Changes the velocity that moves a particle. What the particle keeps changes by as much.
    static void setTravel(Gathered& g, int lane, const Vec3d& travel)
    {
        const Vec3d before = travelOf(g, lane);
        for (int a = 0; a < 3; ++a) {
            g.travel[a][lane] = static_cast<float>(travel[a]);
            g.velocity[a][lane] += static_cast<float>(travel[a] - before[a]);
        }
    }

    void collide(const Lanes& lanes, std::uint32_t k, NearPieces& pieces, Gathered& g) const
    {
        for (int l = 0; l < lanes.count; ++l) {
            const std::vector<int>& near = pieces.of(m_order.cell[k + static_cast<std::uint32_t>(l)]);
            if (near.empty()) continue;
            const Vec3d x = position(m_from, static_cast<std::size_t>(lanes.index[l]), m_h);
            setTravel(g, l, m_contact->collide(near, x, travelOf(g, l)));
        }
    }

    void drag(const Lanes& lanes, Gathered& g) const
    {
        const AirFlow& air = *m_rule.air.flow;
        const Batch share = g.inverse_mass * lanes.load(m_from.mass);
        for (int l = 0; l < lanes.count; ++l) {
            const double exposure = AirFlow::exposure(static_cast<double>(share[l]));
            if (exposure == 0) continue;
            const auto p = static_cast<std::size_t>(lanes.index[l]);
            const double density = static_cast<double>(m_from.mass[p]) / static_cast<double>(m_from.volume0[p]);
            const Vec3d wind = air.velocity(position(m_from, p, m_h), m_rule.air.time_s);
            setTravel(g, l, air.slowed(travelOf(g, l), wind, m_from.material[p], density, exposure, m_rule.dt_s));
        }
    }

    /// The position after a step with the velocity v.
    void move(const Lanes& lanes, std::uint32_t k, const Batch (&v)[3], Tally& tally, UpdateResult& result) const
    {
        const float scale = static_cast<float>(m_rule.dt_s / m_h);
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
            lanes.store(m_next.cell[a], k, lanes.load(m_from.cell[a]) + carry);
        }
        tally.speed2 = larger(tally.speed2, speed2);
        if (all(within)) return;
        for (int l = 0; l < lanes.count; ++l)
            if (!within[l])
                fail(result, m_from.id[lanes.index[l]], "moved by more than a cell, or its velocity is not finite");
    }

    /// Stores the velocities and adds up momentum.
    void keep(const Lanes& lanes, std::uint32_t k, const Gathered& g, Tally& tally) const
    {
        const Batch mass = lanes.load(m_from.mass) * lanes.inUse();
        tally.mass += mass;
        for (int a = 0; a < 3; ++a) {
            lanes.store(m_next.velocity[a], k, g.velocity[a]);
            if (m_from.has_travel) lanes.store(m_next.travel[a], k, g.travel[a]);
            tally.momentum[a] += mass * g.velocity[a];
        }
    }

    void copyConstants(const Lanes& lanes, std::uint32_t k) const
    {
        lanes.store(m_next.mass, k, lanes.load(m_from.mass));
        lanes.store(m_next.volume0, k, lanes.load(m_from.volume0));
        lanes.store(m_next.modulus_factor, k, lanes.load(m_from.modulus_factor));
        if (m_from.varied_strength) lanes.store(m_next.strength, k, lanes.load(m_from.strength));
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
    const Contact* m_contact;
    const VelocityRule& m_rule;
    Particles& m_next;
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

void keepColumnsFor(const Scene& scene, Particles& particles)
{
    particles.varied_strength = hasVariedStrength(scene);
    particles.has_powder = hasPowder(scene);
    particles.affine = scene.solver.transfer != Transfer::Flip;
    particles.has_travel = scene.solver.transfer == Transfer::AffineFlip;
    particles.can_sleep = scene.solver.sleeping;
}

VelocityRule velocityRule(const Solver& solver, double dt_s)
{
    const double steps = solver.flip_dt_invariant ? dt_s / solver.flip_reference_dt_s : 1;
    return {solver.transfer, std::pow(solver.flip_ratio, steps), dt_s};
}

UpdateResult updateParticles(const Particles& particles, const Materials& materials, const Order& order,
                             const Grid& grid, const Contact* contact, const VelocityRule& rule, Particles& next)
{
    next.keepColumnsOf(particles);
    next.resize(particles.size());
    std::vector<UpdateResult> parts(order.blocks.size());
    const BlockUpdate update(particles, materials, order, grid, contact, rule, next);
    parallelFor(order.blocks.size(), [&](std::size_t b) { parts[b] = update.run(order.blocks[b]); });
    return combine(parts);
}

}  // namespace firn
