#pragma once
// How a frame is integrated, and what says so.

#include "sim/time_step.h"

namespace firn {

/// How stiff the snow is for an implicit step: the cells that the fastest pressure wave crosses in dt.
double courantNumber(double waveSpeed, double dt, double dx);

/// What an implicit step costs, in explicit steps on the same particles.
double implicitStepCost(double iterations);

struct IntegratorChoice {
    bool implicit = false;
    std::string reason;  // "solver.integrator", or the forecast in words
};

/// solver.integrator where it names one. For "auto" the cheaper by forecast: explicit steps for the whole frame against
/// implicit steps times what a solve costs, with the iterations per Courant number of the last implicit frame
/// (`iterationsPerCourant`, 0 where there was none). Speeds are those at the frame's start; the same arguments give the
/// same choice.
IntegratorChoice chooseIntegrator(const Solver& solver, double particleSpeed, double bodySpeed, double waveSpeed,
                                  double frameSeconds, double iterationsPerCourant);

}  // namespace firn
