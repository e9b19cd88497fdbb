#include "sim/implicit.h"

#include <cmath>

namespace firn {

namespace {

/// Removes the held directions from one leaf of a vector.
void project(float* values, const std::vector<HeldNode>& held)
{
    for (const auto& [node, hold] : held) {
        Eigen::Map<Vec3f> v(values + 4 * node);
        const Vec3d all = v.cast<double>(), along = hold.direction * hold.direction.dot(all);
        v = (hold.kind == Hold::Kind::Slip ? Vec3d(all - along) : along)
                .cast<float>();  // the direction of a stick is zero
    }
}

}  // namespace

void ImplicitSolver::measureMasses(const Grid& grid, double minMass)
{
    m_leaves = grid.leafCount();
    for (NodeVector* v : {&m_scale, &m_rootMass, &m_velocity, &m_x, &m_r}) v->resize(m_leaves);
    parallelFor(m_leaves, [&](std::size_t i) {
        float *scale = m_scale.leaf(i), *root = m_rootMass.leaf(i);
        for (int n = 0; n < nodesPerLeaf; ++n) {
            const float m = grid.mass(i, n);
            const float s = m > static_cast<float>(minMass) ? std::sqrt(m) : 0.f;
            for (int k = 4 * n; k < 4 * n + 3; ++k) {
                root[k] = s;
                scale[k] = s > 0 ? 1 / s : 0;
            }
        }
    });
}

/// b = P (M^1/2 v* - A M^1/2 v*) = -factor P M^-1/2 H v*, as the unknown x is the change from v*.
void ImplicitSolver::rightSide(const StiffnessOperator& H, const Grid& grid, const HeldNodes& held, double factor,
                               NodeVector& b)
{
    b.resize(m_leaves);
    parallelFor(m_leaves, [&](std::size_t i) {
        std::memcpy(m_velocity.leaf(i), grid.newVelocity(i), floatsPerLeaf * sizeof(float));
    });
    H.addTo(m_velocity, b);
    parallelFor(m_leaves, [&](std::size_t i) {
        const float* scale = m_scale.leaf(i);
        float* to = b.leaf(i);
        for (int k = 0; k < floatsPerLeaf; ++k) to[k] *= -static_cast<float>(factor) * scale[k];
        project(to, held[i]);
    });
}

/// y = P (x + M^-1/2 (factor H + R) M^-1/2 x), R the resistance of contact, for x in the range of the projection P; x .
/// y.
double ImplicitSolver::apply(const StiffnessOperator& H, const HeldNodes& held, const ContactImpulses& impulses,
                             double factor, const NodeVector& x, NodeVector& y)
{
    parallelFor(m_leaves, [&](std::size_t i) {
        const float *from = x.leaf(i), *scale = m_scale.leaf(i);
        float *u = m_velocity.leaf(i), *to = y.leaf(i);
        for (int k = 0; k < floatsPerLeaf; ++k) {
            u[k] = scale[k] * from[k];
            to[k] = 0;
        }
    });
    H.addTo(m_velocity, y);
    impulses.addResistance(m_velocity, static_cast<float>(1 / factor), y);
    const float times = static_cast<float>(factor);
    return sumOverLeaves<1>(m_leaves, [&](std::size_t i) {
        const float *from = x.leaf(i), *scale = m_scale.leaf(i);
        float* to = y.leaf(i);
        for (int k = 0; k < floatsPerLeaf; ++k) to[k] = from[k] + times * scale[k] * to[k];
        project(to, held[i]);
        return std::array{dotLeaf(from, to)};
    })[0];
}

/// z = P B r for r in the range of P; r . z.
double ImplicitSolver::precondition(const HeldNodes& held, const NodeVector& r, NodeVector& z)
{
    return m_scaling.apply(r, m_rootMass, z, [&](std::size_t leaf, float* values) { project(values, held[leaf]); });
}

SolveResult ImplicitSolver::solve(const Particles& particles, const Materials& materials, const Order& order,
                                  Grid& grid, const HeldNodes& held, ContactImpulses& impulses, const Solver& settings,
                                  double dt, double minMass, Particles& unused)
{
    measureMasses(grid, minMass);
    const double factor = settings.implicitness * dt * dt;
    SolveResult result;
    int iterations = 0;
    for (const bool definite : {false, true}) {
        const StiffnessOperator H(particles, materials, order, grid, dt, definite, unused);
        m_scaling.build(grid, H, m_rootMass, factor);
        m_x.resize(m_leaves);
        const auto b = [&](NodeVector& to) { rightSide(H, grid, held, factor, to); };
        b(m_r);
        const auto [rr, vv] = sumOverLeaves<2>(m_leaves, [&](std::size_t i) {
            float* v = m_velocity.leaf(i);
            const float* scale = m_scale.leaf(i);
            for (int k = 0; k < floatsPerLeaf; ++k) v[k] = scale[k] > 0 ? v[k] / scale[k] : 0.f;
            return std::array{dotLeaf(m_r.leaf(i), m_r.leaf(i)), dotLeaf(v, v)};
        });
        // Where forces balance, r is only the rounding noise of H v*. It is below 1e-6 of the momentum's norm.
        const double reference = std::max(std::sqrt(rr), 1e-6 * std::sqrt(vv) / settings.cr_tolerance);
        const auto A = [&](const NodeVector& x, NodeVector& y) { return apply(H, held, impulses, factor, x, y); };
        const auto B = [&](const NodeVector& r, NodeVector& z) { return precondition(held, r, z); };
        result = conjugateResidual(A, B, b, m_leaves, m_x, m_r, m_scratch, reference, settings.cr_tolerance,
                                   settings.cr_max_iterations);
        iterations += result.iterations;
        if (!result.indefinite) break;
    }
    result.iterations = iterations;
    parallelFor(m_leaves, [&](std::size_t i) {
        const float *x = m_x.leaf(i), *scale = m_scale.leaf(i);
        float *v = grid.newVelocity(i), *change = m_velocity.leaf(i);
        for (int k = 0; k < floatsPerLeaf; ++k) v[k] += change[k] = scale[k] * x[k];
    });
    impulses.addImpulsesOf(m_velocity);
    return result;
}

std::size_t ImplicitSolver::bytes() const
{
    return m_scale.bytes() + m_velocity.bytes() + m_x.bytes() + m_r.bytes() + m_scratch.bytes() + m_rootMass.bytes() +
           m_scaling.bytes();
}

}  // namespace firn
