#pragma once
// Conjugate residual method (Saad 2003, algorithm 6.20) for symmetric systems, definite or not, over NodeVectors.

#include <functional>

#include "sim/node_vector.h"

namespace firn {

struct SolveResult {
    int iterations = 0;
    double residual = 0;  // |b - A x| over the tolerance's reference; recomputed where rounding may set it apart
    bool converged = false;
    bool indefinite = false;  // met a direction of negative curvature
};

/// y = A x; the caller's operator keeps x and y inside the space of free degrees of freedom.
using LinearOperator = std::function<void(const NodeVector& x, NodeVector& y)>;

/// Fills b, as often as it is asked.
using RightSide = std::function<void(NodeVector& b)>;

/// Scratch of the solver, kept between steps for its memory.
struct SolveScratch {
    NodeVector p, Ar, Ap;
    std::size_t bytes() const { return p.bytes() + Ar.bytes() + Ap.bytes(); }
};

/// Adds to x what brings |r| below `tolerance` times `reference`; on entry r = b - A x, on exit the last r. The
/// recurrence for r does not see how x is rounded to float. Where that may matter, r is computed anew from b and x, and
/// the iteration goes on from it until it holds; where it does not come to hold, `converged` is false.
SolveResult conjugateResidual(const LinearOperator& A, const RightSide& b, std::size_t leaves, NodeVector& x,
                              NodeVector& r, SolveScratch& scratch, double reference, double tolerance,
                              int maxIterations);

}  // namespace firn
