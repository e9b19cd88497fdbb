#pragma once
// The choice between explicit and semi-implicit steps for a frame.

#include <limits>

#include "sim/time_step.h"

namespace firn {

/// The number of cells that the fastest pressure wave crosses in dt.
double courantNumber(double waveSpeed, double dt, double dx);

/// The cost of an implicit step, in explicit steps on the same particles. It grows with the nodes per particle, because
/// a solve works more on nodes than an explicit step does.
double implicitStepCost(double iterations, double nodesPerParticle);

/// What the choice depends on at the start of a frame.
struct FrameStart {
    double particle_speed = 0, body_speed = 0, wave_speed = 0;     // largest, m/s
    double iterations_per_courant = 0;                             // of the last implicit frame, 0 if there was none
    double nodes_per_particle = 0;                                 // of the last frame, 0 before the first
    double yield_speed = std::numeric_limits<double>::infinity();  // of the scene, see yieldSpeed
};

struct IntegratorChoice {
    bool implicit = false;
    std::string reason;  // "solver.integrator", or the forecast in words
};

/// The integrator that solver.integrator names. For "auto" it is explicit where snow is so fast that its impact breaks
/// it, because semi-implicit steps damp the waves that break snow. Elsewhere it is the one with the lower forecast: the
/// number of explicit steps in the frame, or the number of implicit steps times the cost of one. Same arguments, same
/// choice.
IntegratorChoice chooseIntegrator(const Solver& solver, const FrameStart& start, double frameSeconds);

}  // namespace firn
