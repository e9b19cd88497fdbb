#pragma once
// The length of the next substep, and what limits it.

#include <string>

#include "common/scene/scene.h"

namespace firn {

struct StepLimit {
    double dt = 0;       // s
    std::string reason;  // "particle speed", "body speed", "wave speed", "implicit_dt_s", "dt_s", "frame"
};

/// The smallest of: cfl h over the speed of particles (including what gravity adds in the step) and over that of
/// bodies; wave_cfl h over the speed of the fastest pressure wave (explicit) or solver.implicit_dt_s (implicit);
/// solver.dt_s. It is then shortened so that equal steps end on the frame.
StepLimit chooseStep(const Solver& solver, double particleSpeed, double bodySpeed, double waveSpeed, bool implicit,
                     double remaining);

/// A forecast of the explicit steps in a frame while a body packs the snow of the scene, from the speed of waves in
/// packed snow; 0 where no snow becomes denser.
double stepsInPackedSnow(const Scene& scene);

}  // namespace firn
