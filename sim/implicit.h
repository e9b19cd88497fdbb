#pragma once
// The semi-implicit velocity update, step 6 of Stomakhin et al. 2013, section 4.1:
//   (I + beta dt^2 M^-1 H) v' = v*,  H the second derivative of the elastic energy with respect to node positions,
// solved without a matrix by conjugate residuals on the mass-scaled, symmetric form
//   (I + beta dt^2 M^-1/2 H M^-1/2) M^1/2 v' = M^1/2 v*,
// over the degrees of freedom that contact leaves free, preconditioned on coarser grids (multilevel_scaling.h).

#include "sim/conjugate_residual.h"
#include "sim/contact_impulses.h"
#include "sim/multilevel_scaling.h"
#include "sim/stiffness_operator.h"
#include "sim/update_nodes.h"

namespace firn {

class ImplicitSolver {
public:
    /// On entry the grid's new velocity is v* after contact; on exit it is v'. The iteration starts from v*. If it
    /// meets a direction of negative curvature, the solve starts again with the definite tangents of the materials.
    /// `minMass` as in updateVelocities. `unused` lends memory for the tangents; its values are lost.
    SolveResult solve(const Particles& particles, const Materials& materials, const Order& order, Grid& grid,
                      const HeldNodes& held, ContactImpulses& impulses, const Solver& settings, double dt,
                      double minMass, Particles& unused);

    std::size_t bytes() const;

private:
    void measureMasses(const Grid& grid, double minMass);
    void rightSide(const StiffnessOperator& H, const Grid& grid, const HeldNodes& held, double factor, NodeVector& b);
    double apply(const StiffnessOperator& H, const HeldNodes& held, const ContactImpulses& impulses, double factor,
                 const NodeVector& x, NodeVector& y);

    double precondition(const HeldNodes& held, const NodeVector& r, NodeVector& z);

    NodeVector m_scale, m_rootMass;  // 1 / sqrt(m) and sqrt(m), zero for nodes without mass
    NodeVector m_velocity, m_x, m_r;
    SolveScratch m_scratch;
    MultilevelScaling m_scaling;
    std::size_t m_leaves = 0;
};

}  // namespace firn
