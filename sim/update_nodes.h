#pragma once
// Steps 4 and 5 of Stomakhin et al. 2013 on the grid, and what the particles' velocity update will read.

#include "sim/contact.h"
#include "sim/grid.h"

namespace firn {

/// v = m v / m, v* = v + dt (f / m + g), contact with the bodies; leaves v_new - alpha v_old and v_new on the nodes.
/// Nodes lighter than `min_mass` (kg) are given no velocity: they hold rounding errors only.
void updateNodes(Grid& grid, const Contact& contact, double dt, const Vec3d& gravity, double alpha, double min_mass);

}  // namespace firn
