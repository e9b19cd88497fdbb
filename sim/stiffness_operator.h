#pragma once
// The stiffness operator: the second derivative of the elastic energy with respect to node positions, applied to node
// velocities without a matrix, for step 6 of Stomakhin et al. 2013.

#include <cstring>

#include "sim/node_vector.h"
#include "sim/transfer.h"

namespace firn {

/// The materials' tangents of all particles, in sorted order. They borrow the F_E columns of a particle buffer that is
/// not in use, whose values are lost: a solve needs no memory of its own for them.
class TangentColumns {
public:
    explicit TangentColumns(Particles& unused) : m_columns(unused.F_E) {}

    void store(const Lanes& lanes, std::uint32_t first, const Tangent<Batch>& tangent)
    {
        for (std::size_t e = 0; e < tangent.size(); ++e) lanes.store(m_columns[e], first, tangent[e]);
    }
    Tangent<Batch> load(std::uint32_t first, int count) const
    {
        Tangent<Batch> tangent{};
        for (std::size_t e = 0; e < tangent.size(); ++e) {
            const float* source = m_columns[e].data() + first;
            if (count == batchSize)
                tangent[e] = loadPair<Batch>(source);
            else
                std::memcpy(&tangent[e], source, static_cast<std::size_t>(count) * sizeof(float));
        }
        return tangent;
    }

private:
    std::array<std::vector<float>, 9>& m_columns;
};

class StiffnessOperator {
public:
    /// Computes the tangents, which do not change between iterations, once per step of dt (s). The grid's new velocity
    /// predicts the change of volume for them; with dt = 0 they are derivatives, and no velocity is read. They borrow
    /// memory of `unused`: the solver's double buffer, which nothing else uses before the particles are updated.
    /// `definite` asks for tangents without negative curvature.
    StiffnessOperator(const Particles& particles, const Materials& materials, const Order& order, const Grid& grid,
                      double dt, bool definite, Particles& unused);

    /// f_i += sum_p K(sum_j u_j grad w_jp^T) grad w_ip: minus the rate at which forces change (N/s) when nodes move
    /// with velocities u (m/s).
    void addTo(const NodeVector& u, NodeVector& f) const;

    /// s_i += sum_p w_ip kappa_p in the second of a node's four floats, where kappa is the mean modulus of the
    /// particle's tangent for slopes of one per cell; for snow near rest it is V_0 (4 mu + lambda) / (3 h^2).
    void addCoefficients(NodeVector& s) const;

private:
    const Particles& m_particles;
    const Materials& m_materials;
    const Order& m_order;
    TangentColumns m_tangents;
    bool m_definite;
};

}  // namespace firn
