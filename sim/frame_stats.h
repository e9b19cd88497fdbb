#pragma once
// What a simulation reports: of a frame, of a substep, and of where its time goes.

#include <array>
#include <cstddef>
#include <map>
#include <string>

#include "common/math.h"

namespace firn {

/// Energies of all snow, and how deep it is within bodies.
struct Diagnostics {
    double kinetic_J = 0;         // sum of m v^2 / 2
    double potential_J = 0;       // sum of -m g . x, zero at the origin
    double elastic_J = 0;         // sum of V_p^0 Psi(F_E) (Stomakhin et al. 2013, eq. 1)
    double penetration_m = 0;     // depth of the deepest particle within a body; 0 if none is within one
    std::size_t penetrating = 0;  // particles within a body
    /// Mass of snow that is inside a body by more than a tenth of a cell, kg, by that body and the nearest other body.
    /// Bodies are numbered as in the scene; -1 is none.
    std::map<std::array<int, 2>, double> caught_kg;

    void operator+=(const Diagnostics& other);
};

/// What one frame took; the fields of stats.jsonl that the solver knows.
struct FrameStats {
    int frame = 0;
    double time_s = 0;
    long substeps = 0;
    double dt_min_s = 0;
    double dt_max_s = 0;
    std::string dt_limit;           // what limited most substeps: "wave speed", "particle speed", "body speed",
                                    // "implicit_dt_s", "dt_s" or "frame"
    std::string integrator;         // "explicit" or "implicit"
    std::string integrator_reason;  // "solver.integrator", or why "auto" chose it
    std::size_t particles = 0;
    std::size_t sleeping = 0;  // of these
    std::size_t frozen = 0;    // beside these: left the simulation since its start, behind the window
    std::size_t beyond = 0;    // awake particles where snow still waits for the window
    std::size_t leaves = 0;    // occupied or reached by a kernel, in the last substep
    long cr_iterations = 0;
    long cr_failures = 0;
    long rollbacks = 0;
    double seconds = 0;  // wall time spent in advanceFrame, over all its calls for this frame
    double mass_kg = 0;
    std::size_t puffs = 0;         // of powder in the air
    double powder_kg = 0;          // in the air; mass_kg contains neither this nor the next
    double settled_powder_kg = 0;  // since the start
    bool has_fewer_puffs = false;  // than there would be without air.most_puffs
    Vec3d momentum = Vec3d::Zero();
    double max_speed_m_s = 0;
    Diagnostics diagnostics;
};

/// The progress of a frame after a substep.
struct SubstepStatus {
    int frame = 0;              // the frame being simulated
    double frame_fraction = 0;  // the part of it that is done
    long substep = 0;
    double dt_s = 0;
    std::string dt_limit;
    std::size_t particles = 0;
    std::size_t leaves = 0;
};

/// Seconds by phase since the start, for the benchmarks.
struct PhaseSeconds {
    double sort = 0, rasterize = 0, forces = 0, grid = 0, solve = 0, particles = 0;
};

}  // namespace firn
