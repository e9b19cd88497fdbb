#include "sim/integrator_choice.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace firn {

namespace {

/// Time for one application of the stiffness operator and the vector operations of an iteration, over the time of an
/// explicit step on the same particles: a part for the particles, and a part for each node per particle. Measured: 0.25
/// to 0.30 in packed snow (0.3 nodes per particle), 0.35 in the footsteps draft (0.6), 0.7 to 0.9 in the spray of
/// snowballs (2.1 and more). A solve applies it once for the first residual and once per iteration.
constexpr double applicationCost = 0.18, applicationCostPerNode = 0.3;
constexpr double assumedNodes = 0.4;
/// Iterations per Courant number, assumed until an implicit frame has been measured. A snowball takes 2.5 in its fall,
/// 1.5 on the ground, 1.6 on a wall and 2.6 in its spray there, at cr_tolerance = 1e-3.
constexpr double assumedIterations = 2.2;
/// Even soft snow takes this many.
constexpr double fewestIterations = 2;
/// Snow up to so many times as fast as the speed that makes it yield looks the same after an impact with both
/// integrators. Measured with an earlier packing snow, which yielded at 0.22 m/s: a snowball that is let go at 1 m/s
/// and hits the ground at 1.2 m/s has extents within 2 % of each other, one that hits at 2.1 m/s within 30 %, one
/// at 3.7 m/s within a factor of two.
constexpr double quietImpact = 4.5;

double stepsPerFrame(const Solver& solver, const FrameStart& start, bool implicit, double frameSeconds)
{
    const StepLimit limit =
        chooseStep(solver, start.particle_speed, start.body_speed, start.wave_speed, implicit, frameSeconds);
    return std::round(frameSeconds / limit.dt);
}

}  // namespace

double courantNumber(double waveSpeed, double dt, double dx) { return waveSpeed * dt / dx; }

double implicitStepCost(double iterations, double nodesPerParticle)
{
    return 1 + (applicationCost + applicationCostPerNode * nodesPerParticle) * (1 + iterations);
}

IntegratorChoice chooseIntegrator(const Solver& solver, const FrameStart& start, double frameSeconds)
{
    if (solver.integrator != Integrator::Auto) return {solver.integrator == Integrator::Implicit, "solver.integrator"};
    if (start.particle_speed > quietImpact * start.yield_speed) {
        char reason[80];
        std::snprintf(reason, sizeof reason, "snow moves at %.2g m/s; semi-implicit steps would damp its impact",
                      start.particle_speed);
        return {false, reason};
    }
    const double explicitSteps = stepsPerFrame(solver, start, false, frameSeconds);
    const double implicitSteps = stepsPerFrame(solver, start, true, frameSeconds);
    const bool isAssumed = !(start.iterations_per_courant > 0);
    const double courant = courantNumber(start.wave_speed, frameSeconds / implicitSteps, solver.dx);
    const double iterations =
        std::max((isAssumed ? assumedIterations : start.iterations_per_courant) * courant, fewestIterations);
    const double nodes = start.nodes_per_particle > 0 ? start.nodes_per_particle : assumedNodes;
    const double implicitCost = implicitSteps * implicitStepCost(iterations, nodes);
    char reason[160];
    std::snprintf(reason, sizeof reason,
                  "%.0f explicit steps; %.0f implicit steps of %.1f %siterations cost as much as %.0f explicit ones",
                  explicitSteps, implicitSteps, iterations, isAssumed ? "assumed " : "", implicitCost);
    return {implicitCost < explicitSteps, reason};
}

}  // namespace firn
