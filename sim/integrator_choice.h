#pragma once
// How a frame is integrated, and what says so.

#include "sim/time_step.h"

namespace firn {

/// How stiff the snow is for an implicit step: the cells that the fastest pressure wave crosses in dt.
double courantNumber(double waveSpeed, double dt, double dx);

/// What an implicit step costs, in explicit steps on the same particles: a solve works on nodes more than a step does.
double implicitStepCost(double iterations, double nodesPerParticle);

/// The snow at a frame's start, as far as the choice depends on it.
struct FrameStart {
    double particleSpeed = 0, bodySpeed = 0, waveSpeed = 0;  // largest, m/s
    double iterationsPerCourant = 0;                         // of the last implicit frame, 0 where there was none
    double nodesPerParticle = 0;                             // of the last frame, 0 before the first
};

struct IntegratorChoice {
    bool implicit = false;
    std::string reason;  // "solver.integrator", or the forecast in words
};

/// solver.integrator where it names one. For "auto" the cheaper by forecast: explicit steps for the whole frame against
/// implicit steps times what a solve costs. The same arguments give the same choice.
IntegratorChoice chooseIntegrator(const Solver& solver, const FrameStart& start, double frameSeconds);

}  // namespace firn
