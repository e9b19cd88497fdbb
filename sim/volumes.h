#pragma once
// Step 2 of Stomakhin et al. 2013, section 4.1: initial volumes from the grid's density.

#include "sim/transfer.h"

namespace firn {

/// For regions with volume = "grid": V_p0 = m_p / rho_p with rho_p = sum m_i w_ip / h^3. At free surfaces and in thin
/// layers this volume is too large; seeding volumes are the default for that reason.
void measureGridVolumes(const Scene& scene, Particles& particles, Order& order, Grid& grid);

}  // namespace firn
