#pragma once
// Conjugate residual method (Saad 2003, algorithm 6.20) for symmetric systems, definite or not, over NodeVectors.

#include <functional>

#include "sim/node_vector.h"

namespace firn {

struct SolveResult {
    int iterations = 0;
    double residual = 0;  // |b - A x| over the tolerance's reference, as the recurrence has it
    bool converged = false;
    bool indefinite = false;  // met a direction of negative curvature
};

/// y = A x; the caller's operator keeps x and y inside the space of free degrees of freedom.
using LinearOperator = std::function<void(const NodeVector& x, NodeVector& y)>;

/// Scratch of the solver, kept between steps for its memory.
struct SolveScratch {
    NodeVector p, Ar, Ap;
    std::size_t bytes() const { return p.bytes() + Ar.bytes() + Ap.bytes(); }
};

/// Adds to x what brings |r| below `tolerance` times `reference`; on entry r = b - A x, on exit the last r.
SolveResult conjugateResidual(const LinearOperator& A, std::size_t leaves, NodeVector& x, NodeVector& r,
                              SolveScratch& scratch, double reference, double tolerance, int maxIterations);

}  // namespace firn
