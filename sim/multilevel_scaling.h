#pragma once
// The preconditioner of the semi-implicit solve: diagonal scaling on the grid and on ever coarser ones, added up
// (Bramble, Pasciak & Xu 1990, with the diagonals of Zhang 1992),
//   B = D_0^-1 + omega sum_l P_l D_l^-1 P_l^T,  D_l the diagonal of P_l^T (M + beta dt^2 H) P_l.
// With the diagonal alone, smooth motion travels one cell per iteration. Through the coarse grids it travels at once,
// so the number of iterations hardly grows with c dt / h.

#include <functional>

#include "sim/coarse_level.h"
#include "sim/grid.h"
#include "sim/stiffness_operator.h"

namespace firn {

class MultilevelScaling {
public:
    /// For M + factor H. The number of levels grows with the number of cells that waves cross in a step. `rootMass` is
    /// M^1/2, zero for nodes that have no velocity.
    void build(const Grid& grid, const StiffnessOperator& H, const NodeVector& rootMass, double factor);

    /// z = P M^1/2 B M^1/2 r for r in the range of the projection P, which `project` does on a leaf's values; r . z.
    double apply(const NodeVector& r, const NodeVector& rootMass, NodeVector& z,
                 const std::function<void(std::size_t leaf, float* values)>& project);

    std::size_t levels() const { return m_levels.size(); }
    std::size_t bytes() const;

private:
    struct Level {
        CoarseLevel grid;
        NodeVector inverse, values;
    };

    float scaleFinest(const NodeVector& rootMass, float factor, NodeVector& sums);
    static NodeVector scaleLevel(Level& level, const NodeVector& finerSums, float slope);
    void restrictAll(const NodeVector& r, const NodeVector& rootMass);
    void prolongAll();

    NodeVector m_inverse;  // M^1/2 D_0^-1 M^1/2
    std::vector<Level> m_levels;
};

}  // namespace firn
