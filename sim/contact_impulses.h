#pragma once
// Contact of particles with bodies by impulses on the grid, in place of stopping nodes (Stomakhin et al. 2013, section
// 8), which holds snow up to a kernel's width above a surface. A particle's velocity is sum w_ip v_i, and an impulse J
// on it changes the nodes by w_ip J / m_i. Projected Gauss-Seidel finds the impulses that follow the law of
// contact_point.h (E. Catto, "Iterative dynamics with temporal coherence", Game Developers Conference 2005, does so for
// rigid bodies), and starts with those of the last step. Blocks of one parity colour share no node, and the colours
// follow each other, so that results do not depend on threads.

#include <array>
#include <vector>

#include "sim/find_contacts.h"
#include "sim/grid.h"
#include "sim/node_flags.h"
#include "sim/node_vector.h"

namespace firn {

class ContactImpulses {
public:
    /// Forgets all points, and begins a step.
    void start(const ContactStep& step);

    /// Adds the points of contact of an order's particles.
    void find(const Contact& contact, const Particles& particles, const Order& order, const Touches& touches);

    /// Changes the grid's new velocities by the remembered impulses, and improves these by some sweeps.
    void apply(Grid& grid);
    /// The sweeps alone, after something else has changed the velocities.
    void improve(Grid& grid);

    /// f += factor R u: the impulse against a change u (m/s) of the nodes' velocities by the points that bear load. R
    /// is symmetric and positive semidefinite, kg.
    void addResistance(const NodeVector& u, float factor, NodeVector& f) const;
    /// Adds -R u to the impulses.
    void addImpulsesOf(const NodeVector& u);

    /// The nodes of points that bear load.
    NodeFlags touchedNodes(const Grid& grid) const;

    /// What is to be remembered of the points of the first order that find() got.
    Touches touches() const;

private:
    struct BlockPoints {
        const Block* block;
        std::vector<ContactPoint> points;
    };
    using Group = std::array<std::vector<BlockPoints>, 8>;  // by colour

    template <class Groups, class F>
    static void forEachBlock(Groups& groups, const F& f);

    ContactStep m_step;
    std::vector<Group> m_groups;  // one for each find()
};

}  // namespace firn
