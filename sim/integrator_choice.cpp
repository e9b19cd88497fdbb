#include "sim/integrator_choice.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace firn {

namespace {

/// Cost of an iteration of conjugate residuals, and of setting up a solve, over that of an explicit step.
constexpr double iterationCost = 0.55, setupCost = 0.9;
/// Iterations per Courant number until an implicit frame has told.
constexpr double usualIterations = 2;
/// No solve takes fewer iterations.
constexpr double fewestIterations = 2;

double stepsPerFrame(const Solver& solver, double particleSpeed, double bodySpeed, double waveSpeed, bool implicit,
                     double frameSeconds)
{
    return std::round(frameSeconds /
                      chooseStep(solver, particleSpeed, bodySpeed, waveSpeed, implicit, frameSeconds).dt);
}

}  // namespace

double courantNumber(double waveSpeed, double dt, double dx) { return waveSpeed * dt / dx; }

IntegratorChoice chooseIntegrator(const Solver& solver, double particleSpeed, double bodySpeed, double waveSpeed,
                                  double frameSeconds, double iterationsPerCourant)
{
    if (solver.integrator != Integrator::Auto) return {solver.integrator == Integrator::Implicit, "solver.integrator"};
    const double explicitSteps = stepsPerFrame(solver, particleSpeed, bodySpeed, waveSpeed, false, frameSeconds);
    const double implicitSteps = stepsPerFrame(solver, particleSpeed, bodySpeed, waveSpeed, true, frameSeconds);
    const double perCourant = iterationsPerCourant > 0 ? iterationsPerCourant : usualIterations;
    const double courant = courantNumber(waveSpeed, frameSeconds / implicitSteps, solver.dx);
    const double iterations =
        std::clamp(perCourant * courant, fewestIterations, static_cast<double>(solver.cr_max_iterations));
    const double implicitCost = implicitSteps * (1 + setupCost + iterationCost * iterations);
    char reason[160];
    std::snprintf(reason, sizeof reason,
                  "%.0f explicit steps against %.0f implicit ones of %.1f %siterations, as costly as %.0f",
                  explicitSteps, implicitSteps, iterations, iterationsPerCourant > 0 ? "" : "assumed ", implicitCost);
    return {implicitCost < explicitSteps, reason};
}

}  // namespace firn
