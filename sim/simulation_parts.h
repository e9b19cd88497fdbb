#pragma once
// What a simulation holds, and its parts: frames are in simulation.cpp, steps in simulation_step.cpp.

#include <string>
#include <vector>

#include "common/body/body.h"
#include "sim/air.h"
#include "sim/frame_stats.h"
#include "sim/implicit.h"
#include "sim/particle_output.h"
#include "sim/powder.h"
#include "sim/sleep.h"
#include "sim/snow_contact.h"
#include "sim/snow_sources.h"
#include "sim/state.h"
#include "sim/time_step.h"
#include "sim/transfer.h"
#include "sim/waiting_snow.h"

namespace firn {

/// The public face is Simulation (simulation.h).
struct SimulationParts {
    Scene scene;
    std::vector<Body> bodies;
    SnowContact contact;
    std::vector<float> adhesion_pa;
    Materials materials;
    AirFlow air;
    Powder powder;
    WaitingSnow waiting;
    SnowSources sources;
    Particles particles, next;
    Particles frozen;  // left the simulation in the frame under way
    Order order;
    Grid grid;
    ImplicitSolver implicit_solver;
    Sleepers sleepers;
    SolverState state;  // frame, time within it, limits for the next step, counters of the frame
    PhaseSeconds phases;
    std::vector<std::string> remarks;
    double yield_speed;     // m/s
    double min_mass = 0;    // kg, of nodes that get a velocity
    double rest_speed = 0;  // m/s, of waves in snow at rest, if snow may sleep

    explicit SimulationParts(const Scene& from)
        : scene(from),
          bodies(makeCollidingBodies(from)),
          contact(bodies, from.solver),
          adhesion_pa(adhesionsOf(from)),
          materials(materialsOf(from)),
          air(from),
          powder(from),
          waiting(scene, bodies),
          sources(scene),
          grid(from.solver.dx),
          yield_speed(yieldSpeed(from, materials))
    {
    }

    double time() const { return scene.timeOfFrame(state.frame) + state.time_in_frame; }

    /// Both must stay as they are while the source is used.
    ParticleSource sourceOf(const Particles& moving, const Particles& asleep, const std::vector<Puff>& puffs) const;
    void prepare();
    void startFrame();
    void endFrame();
    void raisePowder();
    void diagnoseFrame();
    UpdateResult step(double dt);
    void settle();
    void moveWindow();
    void wakeDisturbed();
    FrameStats addBorn(double from_s, double until_s);
    void sort();
    void transferToGrid();
    void computeForces();
    void updateNodes(double dt);
    void applyContact(double dt);
    void solveImplicit(double dt);
    UpdateResult transferToParticles(double dt);
    void acceptStep(const StepLimit& limit, double dt, const UpdateResult& result);
    void stepOrHalve(const StepLimit& limit);
};

}  // namespace firn
