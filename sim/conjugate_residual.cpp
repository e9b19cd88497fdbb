#include "sim/conjugate_residual.h"

#include <cmath>

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

}  // namespace

SolveResult conjugateResidual(const LinearOperator& A, std::size_t leaves, NodeVector& x, NodeVector& r,
                              SolveScratch& scratch, double reference, double tolerance, int maxIterations)
{
    auto& [p, Ar, Ap] = scratch;
    for (NodeVector* v : {&p, &Ar, &Ap}) v->resize(leaves);
    SolveResult result;
    const auto residualNorm = [&](double squared) { return std::sqrt(squared) / reference; };
    const auto rr = sumOverLeaves<1>(leaves, [&](std::size_t i) { return std::array{dotLeaf(r.leaf(i), r.leaf(i))}; });
    result.residual = reference > 0 ? residualNorm(rr[0]) : 0;
    result.converged = result.residual <= tolerance;
    double rAr = 0;  // of the iteration before
    while (!result.converged && result.iterations < maxIterations) {
        A(r, Ar);
        ++result.iterations;
        const double curvature =
            sumOverLeaves<1>(leaves, [&](std::size_t i) { return std::array{dotLeaf(r.leaf(i), Ar.leaf(i))}; })[0];
        if (!(curvature > 0)) {
            result.indefinite = true;
            return result;
        }
        const float beta = rAr > 0 ? static_cast<float>(curvature / rAr) : 0.f;
        rAr = curvature;
        const double ApAp = sumOverLeaves<1>(leaves, [&](std::size_t i) {
            scaleAndAdd(p.leaf(i), beta, r.leaf(i));
            scaleAndAdd(Ap.leaf(i), beta, Ar.leaf(i));
            return std::array{dotLeaf(Ap.leaf(i), Ap.leaf(i))};
        })[0];
        const float alpha = static_cast<float>(curvature / ApAp);
        const double squared = sumOverLeaves<1>(leaves, [&](std::size_t i) {
            addScaled(x.leaf(i), alpha, p.leaf(i));
            addScaled(r.leaf(i), -alpha, Ap.leaf(i));
            return std::array{dotLeaf(r.leaf(i), r.leaf(i))};
        })[0];
        result.residual = residualNorm(squared);
        result.converged = result.residual <= tolerance;
    }
    return result;
}

}  // namespace firn
