#pragma once
// The action of the elastic energy's second derivative on node velocities: step 6 of Stomakhin et al. 2013.

#include "sim/node_vector.h"
#include "sim/transfer.h"

namespace firn {

class StiffnessOperator {
public:
    /// Computes what does not change between iterations, once per step. It is kept in the F_E columns of `scratch`, in
    /// sorted order: the solver's double buffer, which nothing else uses before the particles are updated. `definite`
    /// asks for the definite variant of stiffness.h.
    StiffnessOperator(const Particles& particles, const MaterialTable& materials, const Order& order, const Grid& grid,
                      bool definite, Particles& scratch);

    /// f_i += sum_p K(sum_j u_j grad w_jp^T) grad w_ip: minus the rate at which forces change (N/s) when nodes move
    /// with velocities u (m/s).
    void addTo(const NodeVector& u, NodeVector& f) const;

    /// s_i += sum_p w_ip kappa_p in the second of a node's four floats, kappa the stiffness of one velocity component
    /// against a slope of one per cell, averaged over the three and at rest: V_0 (4 mu + lambda) / (3 h^2).
    void addCoefficients(NodeVector& s) const;

private:
    const Particles& m_particles;
    const Order& m_order;
    const Particles& m_constants;
    bool m_definite;
};

}  // namespace firn
