#pragma once
// Conjugate residual method (Saad 2003, algorithm 6.20), preconditioned, for symmetric systems, definite or not, over
// NodeVectors.

#include <functional>

#include "sim/node_vector.h"

namespace firn {

struct SolveResult {
    int iterations = 0;
    double residual = 0;  // |b - A x| over the tolerance's reference; recomputed where rounding may set it apart
    bool converged = false;
    bool indefinite = false;  // met a direction of negative curvature
};

/// y = A x, returns x . y; the caller's operator keeps x and y inside the space of free degrees of freedom. y has the
/// size of x.
using LinearOperator = std::function<double(const NodeVector& x, NodeVector& y)>;

/// Fills b, as often as it is asked.
using RightSide = std::function<void(NodeVector& b)>;

/// Scratch of the solver, kept between steps for its memory.
struct SolveScratch {
    NodeVector z, p, Az, Ap, BAp;  // z = B r
    std::size_t bytes() const { return z.bytes() + p.bytes() + Az.bytes() + Ap.bytes() + BAp.bytes(); }
};

/// Adds to x what brings |r| below `tolerance` times `reference`; B is a symmetric, definite approximation of A^-1 on
/// the free degrees of freedom. On entry r = b - A x, on exit the last r. The recurrence for r does not see how x is
/// rounded to float. Where that may matter, r is computed anew from b and x, and the iteration goes on from it until it
/// holds; where it does not come to hold, `converged` is false.
SolveResult conjugateResidual(const LinearOperator& A, const LinearOperator& B, const RightSide& b, std::size_t leaves,
                              NodeVector& x, NodeVector& r, SolveScratch& scratch, double reference, double tolerance,
                              int maxIterations);

}  // namespace firn
