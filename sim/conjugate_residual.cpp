#include "sim/conjugate_residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace firn {

namespace {

/// y += a x over one leaf.
void addScaled(float* y, float a, const float* x)
{
    for (int k = 0; k < floatsPerLeaf; ++k) y[k] += a * x[k];
}

/// y = x + b y over one leaf.
void scaleAndAdd(float* y, float b, const float* x)
{
    for (int k = 0; k < floatsPerLeaf; ++k) y[k] = x[k] + b * y[k];
}

double squaredNorm(std::size_t leaves, const NodeVector& v)
{
    return sumOverLeaves<1>(leaves, [&](std::size_t i) { return std::array{dotLeaf(v.leaf(i), v.leaf(i))}; })[0];
}

class Iteration {
public:
    Iteration(const LinearOperator& A, const LinearOperator& B, std::size_t leaves, NodeVector& x, NodeVector& r,
              SolveScratch& scratch, double reference)
        : m_A(A), m_B(B), m_leaves(leaves), m_x(x), m_r(r), m_scratch(scratch), m_reference(reference)
    {
    }

    void measureResidual(SolveResult& result) const
    {
        result.residual = m_reference > 0 ? std::sqrt(squaredNorm(m_leaves, m_r)) / m_reference : 0;
    }

    /// Iterates from the present r until the r of the recurrence is small enough.
    void run(double tolerance, int maxIterations, SolveResult& result)
    {
        NodeVector &z = m_scratch.z, &p = m_scratch.p, &Az = m_scratch.Az, &Ap = m_scratch.Ap, &BAp = m_scratch.BAp;
        for (NodeVector* v : {&z, &p, &Az, &Ap, &BAp}) v->resize(m_leaves);
        if (result.residual > tolerance) m_B(m_r, z);
        double zAz = 0;  // of the iteration before
        while (result.residual > tolerance && result.iterations < maxIterations) {
            const double curvature = m_A(z, Az);
            ++result.iterations;
            if (!(curvature > 0)) {
                result.indefinite = true;
                return;
            }
            const float beta = zAz > 0 ? static_cast<float>(curvature / zAz) : 0.f;
            zAz = curvature;
            const auto [ApAp, pp] = sumOverLeaves<2>(m_leaves, [&](std::size_t i) {
                scaleAndAdd(p.leaf(i), beta, z.leaf(i));
                scaleAndAdd(Ap.leaf(i), beta, Az.leaf(i));
                return std::array{dotLeaf(Ap.leaf(i), Ap.leaf(i)), dotLeaf(p.leaf(i), p.leaf(i))};
            });
            m_norm = std::max(m_norm, std::sqrt(ApAp / pp));
            const float alpha = static_cast<float>(curvature / m_B(Ap, BAp));
            const double squared = sumOverLeaves<1>(m_leaves, [&](std::size_t i) {
                addScaled(m_x.leaf(i), alpha, p.leaf(i));
                addScaled(m_r.leaf(i), -alpha, Ap.leaf(i));
                addScaled(z.leaf(i), -alpha, BAp.leaf(i));
                return std::array{dotLeaf(m_r.leaf(i), m_r.leaf(i))};
            })[0];
            result.residual = std::sqrt(squared) / m_reference;
        }
    }

    /// Whether rounding x to float once per iteration may change the residual by a tenth of the tolerance. Rounding
    /// errors are independent, each at most half a unit in the last place; |A| is the largest |A p| / |p| so far.
    bool roundingMatters(double tolerance, int iterations) const
    {
        const double rounding = std::numeric_limits<float>::epsilon() / 2 * std::sqrt(squaredNorm(m_leaves, m_x));
        return m_norm * rounding * std::sqrt(iterations) > 0.1 * tolerance * m_reference;
    }

    /// r = b - A x
    void renew(const RightSide& b)
    {
        NodeVector &right = m_scratch.Az, &Ap = m_scratch.Ap;
        b(right);
        m_A(m_x, Ap);
        parallelFor(m_leaves, [&](std::size_t i) {
            const float *from = right.leaf(i), *Ax = Ap.leaf(i);
            float* r = m_r.leaf(i);
            for (int k = 0; k < floatsPerLeaf; ++k) r[k] = from[k] - Ax[k];
        });
    }

private:
    const LinearOperator &m_A, &m_B;
    std::size_t m_leaves;
    NodeVector &m_x, &m_r;
    SolveScratch& m_scratch;
    double m_reference;
    double m_norm = 0;
};

}  // namespace

SolveResult conjugateResidual(const LinearOperator& A, const LinearOperator& B, const RightSide& b, std::size_t leaves,
                              NodeVector& x, NodeVector& r, SolveScratch& scratch, double reference, double tolerance,
                              int maxIterations)
{
    constexpr int mostRenewals =
        4;  // the first removes the rounding errors of all iterations, the next ones those of a few
    Iteration iteration(A, B, leaves, x, r, scratch, reference);
    SolveResult result;
    iteration.measureResidual(result);
    for (int renewals = 0;; ++renewals) {
        const int before = result.iterations;
        iteration.run(tolerance, maxIterations, result);
        result.converged = result.residual <= tolerance;
        if (!result.converged || !iteration.roundingMatters(tolerance, result.iterations - before)) return result;
        iteration.renew(b);
        iteration.measureResidual(result);
        result.converged = result.residual <= tolerance;
        if (result.converged || renewals == mostRenewals) return result;
    }
}

}  // namespace firn
