#pragma once
// What the snow as a whole amounts to at the end of a frame, for stats.jsonl and the report of a run.

#include <cstddef>

#include "common/math.h"

namespace firn {

class Contact;
struct MaterialTable;
struct Particles;

struct Diagnostics {
    double kinetic_J = 0;         // sum of m v^2 / 2
    double potential_J = 0;       // sum of -m g . x, zero at the origin
    double elastic_J = 0;         // sum of V_p^0 Psi(F_E) (Stomakhin et al. 2013, eq. 1)
    double penetration_m = 0;     // depth of the deepest particle within a body; 0 where none is
    std::size_t penetrating = 0;  // particles within a body

    void operator+=(const Diagnostics& other);
};

/// Sums over all particles, in double and in the order of memory: the same for any number of threads. `contact` has its
/// bodies placed at the moment of the particles; h in m, gravity in m/s^2.
Diagnostics diagnose(const Particles& particles, const MaterialTable& materials, const Contact& contact, double h,
                     const Vec3d& gravity);

}  // namespace firn
