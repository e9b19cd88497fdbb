#include "sim/time_step.h"

#include <cmath>

#include "sim/material/materials.h"

namespace firn {

namespace {

// kg/m^3. Chosen so that the forecast for the footsteps draft (561) is near what its frames take (at most 547).
constexpr double packedDensity = 877;

}  // namespace

StepLimit chooseStep(const Solver& solver, double particleSpeed, double bodySpeed, double waveSpeed, bool implicit,
                     double remaining)
{
    StepLimit limit{remaining, "frame"};
    const auto consider = [&](double dt, const char* reason) {
        if (dt < limit.dt) limit = {dt, reason};
    };
    const double reach = solver.cfl * solver.dx, g = solver.gravity.norm();
    // (v + g dt) dt = reach, solved so that nothing cancels
    if (particleSpeed > 0 || g > 0)
        consider(2 * reach / (particleSpeed + std::sqrt(particleSpeed * particleSpeed + 4 * g * reach)),
                 "particle speed");
    if (bodySpeed > 0) consider(reach / bodySpeed, "body speed");
    if (implicit)
        consider(solver.implicit_dt_s, "implicit_dt_s");
    else if (waveSpeed > 0)
        consider(solver.wave_cfl * solver.dx / waveSpeed, "wave speed");
    if (solver.dt_s > 0) consider(solver.dt_s, "dt_s");
    const double steps = std::ceil(remaining / limit.dt * (1 - 1e-12));
    limit.dt = remaining / std::max(steps, 1.0);
    return limit;
}

double stepsInPackedSnow(const Scene& scene)
{
    const double wave = packedWaveSpeed(scene, materialsOf(scene), packedDensity);
    return wave / (scene.fps * scene.solver.wave_cfl * scene.solver.dx);
}

}  // namespace firn
