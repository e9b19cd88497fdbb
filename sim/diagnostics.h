#pragma once
// Energies of all snow and its depth within bodies at the end of a frame, for stats.jsonl and the report of a run.

#include "common/math.h"
#include "sim/frame_stats.h"
#include "sim/material/materials.h"

namespace firn {

class Contact;
struct Particles;

/// Sums over all particles, in double and in the order of memory: the same for any number of threads. The bodies of
/// `contact` must be placed at the time of the particles. h in m, gravity in m/s^2.
Diagnostics diagnose(const Particles& particles, const Materials& materials, const Contact& contact, double h,
                     const Vec3d& gravity);

}  // namespace firn
