#pragma once
// Conjugate residual method (Saad 2003, algorithm 6.20), preconditioned, for symmetric systems, definite or not, over
// NodeVectors.

#include <functional>

#include "sim/node_vector.h"

namespace firn {

struct SolveResult {
    int iterations = 0;
    double residual = 0;  // |b - A x| / reference; recomputed from x where rounding may matter
    bool converged = false;
    bool indefinite = false;  // a direction of negative curvature was met
};

/// y = A x; returns x . y. The caller's operator keeps y in the space of the free degrees of freedom. y has the size
/// of x.
using LinearOperator = std::function<double(const NodeVector& x, NodeVector& y)>;

/// Fills b. It may be called several times.
using RightSide = std::function<void(NodeVector& b)>;

/// Vectors of the solver. They are kept between steps so that their memory is allocated once.
struct SolveScratch {
    NodeVector z, p, Az, Ap, BAp;  // z = B r
    std::size_t bytes() const { return z.bytes() + p.bytes() + Az.bytes() + Ap.bytes() + BAp.bytes(); }
};

/// Improves x until |r| is at most `tolerance` times `reference`. B is a symmetric, definite approximation of A^-1 on
/// the free degrees of freedom. On entry r = b - A x, on exit the last r. The recurrence for r does not include the
/// rounding of x to float. Where that may matter, r is recomputed from b and x, and the iteration continues from there.
/// If the recomputed r stays too large, `converged` is false.
SolveResult conjugateResidual(const LinearOperator& A, const LinearOperator& B, const RightSide& b, std::size_t leaves,
                              NodeVector& x, NodeVector& r, SolveScratch& scratch, double reference, double tolerance,
                              int maxIterations);

}  // namespace firn
