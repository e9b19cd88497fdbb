#pragma once
// Steps 4 and 5 of Stomakhin et al. 2013 on the grid, and the preparation of step 8.

#include "sim/contact.h"
#include "sim/grid.h"
#include "sim/node_flags.h"
#include "sim/transfer.h"

namespace firn {

/// A node that a body holds, by its place in the leaf.
struct HeldNode {
    int node;
    Hold hold;
};

/// Held nodes by leaf of the grid.
using HeldNodes = std::vector<std::vector<HeldNode>>;

/// 4. v_old = m v / m and v* = v_old + dt (f / m + g), the grid's new velocity. Nodes lighter than `minMass` (kg) get
/// no velocity: they hold rounding errors only.
void updateVelocities(Grid& grid, double dt, const Vec3d& gravity, double minMass);

/// 5. Contact of the nodes' new velocities with the bodies; `held` becomes the nodes that bodies hold.
void collide(const Contact& contact, Grid& grid, HeldNodes& held);

/// Makes the grid hold what `rule` needs for step 8:
/// - FLIP: v_new - alpha v_old in place of v_old. The velocity (1 - alpha) PIC + alpha FLIP of a particle is then
///   alpha v_p plus one weighted sum.
/// - Affine FLIP: the share of FLIP in place of the mass. It is alpha, but 0 at nodes that contact has changed: there
///   FLIP would give the particles in every step what contact takes from the node, until they shoot out of the snow.
/// - APIC: nothing more.
void prepareTransfer(Grid& grid, const VelocityRule& rule, const NodeFlags& touched);

}  // namespace firn
