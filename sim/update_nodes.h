#pragma once
// Steps 4 and 5 of Stomakhin et al. 2013 on the grid, and what the particles' velocity update will read.

#include "sim/contact.h"
#include "sim/grid.h"

namespace firn {

/// A node that a body holds, by its place in the leaf.
struct HeldNode {
    int node;
    Hold hold;
};

/// Held nodes by leaf of the grid.
using HeldNodes = std::vector<std::vector<HeldNode>>;

/// 4. v_old = m v / m and v* = v_old + dt (f / m + g), left in the momentum and the force field. Nodes lighter than
/// `min_mass` (kg) are given no velocity: they hold rounding errors only.
void updateVelocities(Grid& grid, double dt, const Vec3d& gravity, double min_mass);

/// 5. Contact of the nodes' new velocities with the bodies; tells which nodes are held.
void collide(const Contact& contact, Grid& grid, HeldNodes& held);

/// v_old becomes v_new - alpha v_old: with it, (1 - alpha) PIC + alpha FLIP is alpha v_p plus one weighted sum.
void prepareBlend(Grid& grid, double alpha);

}  // namespace firn
