#include "sim/integrator_choice.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace firn {

namespace {

/// Time for one application of the stiffness operator, with the vector work that goes with it, over that of an explicit
/// step on the same particles: 0.30 in a falling snowball, 0.25 in one on the ground, 0.25 in the spray of one on a wall
/// (docs/performance.md). A solve applies it once for the first residual and once per iteration.
constexpr double applicationCost = 0.28;
/// Iterations per Courant number assumed until an implicit frame has told: a snowball takes 2.5 in its fall and 1.5 on
/// the ground, 1.6 on a wall at cr_tolerance = 1e-3.
constexpr double assumedIterations = 2;
/// Solves of soft snow do not get shorter than this.
constexpr double fewestIterations = 2;

double stepsPerFrame(const Solver& solver, double particleSpeed, double bodySpeed, double waveSpeed, bool implicit,
                     double frameSeconds)
{
    return std::round(frameSeconds /
                      chooseStep(solver, particleSpeed, bodySpeed, waveSpeed, implicit, frameSeconds).dt);
}

}  // namespace

double courantNumber(double waveSpeed, double dt, double dx) { return waveSpeed * dt / dx; }

double implicitStepCost(double iterations) { return 1 + applicationCost * (1 + iterations); }

IntegratorChoice chooseIntegrator(const Solver& solver, double particleSpeed, double bodySpeed, double waveSpeed,
                                  double frameSeconds, double iterationsPerCourant)
{
    if (solver.integrator != Integrator::Auto) return {solver.integrator == Integrator::Implicit, "solver.integrator"};
    const double explicitSteps = stepsPerFrame(solver, particleSpeed, bodySpeed, waveSpeed, false, frameSeconds);
    const double implicitSteps = stepsPerFrame(solver, particleSpeed, bodySpeed, waveSpeed, true, frameSeconds);
    const double perCourant = iterationsPerCourant > 0 ? iterationsPerCourant : assumedIterations;
    const double courant = courantNumber(waveSpeed, frameSeconds / implicitSteps, solver.dx);
    const double iterations = std::max(perCourant * courant, fewestIterations);
    const double implicitCost = implicitSteps * implicitStepCost(iterations);
    char reason[160];
    std::snprintf(reason, sizeof reason,
                  "%.0f explicit steps against %.0f implicit ones of %.1f %siterations, as costly as %.0f",
                  explicitSteps, implicitSteps, iterations, iterationsPerCourant > 0 ? "" : "assumed ", implicitCost);
    return {implicitCost < explicitSteps, reason};
}

}  // namespace firn
