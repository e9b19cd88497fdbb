// Keys of the top level and of [solver].

#include "common/scene/keys.h"
#include "common/scene/scene.h"

namespace firn {

using enum Affects;

namespace {

Field framesOf(void* object)
{
    auto* scene = static_cast<Scene*>(object);
    return FramesField{&scene->start_frame, &scene->end_frame};
}

}  // namespace

const Table& solverTable()
{
    using S = Solver;
    static S defaults;
    static const Table table{
        "[solver]",
        "How the simulation is computed.",
        &defaults,
        "",
        {
            {"dx", fieldOf<&S::dx>, "m", aboveUpTo(0, 100), Simulation,
             "Spacing of the grid's nodes, which sets the resolution: half of it is 8 times the particles."},
            {"integrator",
             fieldOf<&S::integrator>,
             "",
             anyValue(),
             Simulation,
             "Explicit takes small cheap steps, implicit large ones; auto chooses.",
             "",
             {"explicit", "implicit", "auto"}},
            {"dt_s", fieldOf<&S::dt_s>, "s", between(0, 1), Simulation,
             "Upper bound of the time step; 0 leaves it to the program."},
            {"transfer",
             fieldOf<&S::transfer>,
             "",
             anyValue(),
             Simulation,
             "FLIP blended with PIC as in the paper, or APIC, which keeps rolling snowballs rolling.",
             "",
             {"flip", "apic"}},
            {"flip_ratio", fieldOf<&S::flip_ratio>, "", between(0, 1), Simulation,
             "Share of FLIP in the velocity, α, for each reference step; the rest is PIC."},
            {"flip_reference_dt_s", fieldOf<&S::flip_reference_dt_s>, "s", aboveUpTo(0, 1), Simulation,
             "The reference step of `flip_ratio`."},
            {"flip_dt_invariant", fieldOf<&S::flip_dt_invariant>, "", anyValue(), Simulation,
             "Scales α to the step taken, so that damping does not depend on it; otherwise α is per step as in the "
             "paper."},
            {"cfl", fieldOf<&S::cfl>, "cells", aboveUpTo(0, 1), Simulation,
             "How far particles and bodies may move in one step."},
            {"wave_cfl", fieldOf<&S::wave_cfl>, "", aboveUpTo(0, 1), Simulation,
             "Explicit steps as a fraction of the time that a wave takes across a cell."},
            {"implicitness", fieldOf<&S::implicitness>, "", between(0, 1), Simulation,
             "β of the semi-implicit step: 1 is backward Euler, 0.5 trapezoidal, 0 explicit."},
            {"implicit_dt_s", fieldOf<&S::implicit_dt_s>, "s", aboveUpTo(0, 1), Simulation,
             "Longest semi-implicit step."},
            {"cr_tolerance", fieldOf<&S::cr_tolerance>, "", aboveUpTo(0, 1), Simulation,
             "Where the semi-implicit solve stops: its residual as a fraction of the first."},
            {"cr_max_iterations", fieldOf<&S::cr_max_iterations>, "", between(1, 100000), Simulation,
             "Most iterations of one semi-implicit solve; one that needs more is counted in stats.jsonl."},
            {"gravity", fieldOf<&S::gravity>, "m/s²", between(-1e4, 1e4), Simulation, "Gravity."},
            {"sleeping", fieldOf<&S::sleeping>, "", anyValue(), Simulation,
             "Leaves undisturbed snow out of the step until something near it moves."},
            {"sleep_cells", fieldOf<&S::sleep_cells>, "cells", aboveUpTo(0, 0.4), Simulation,
             "Snow that moves by less than this from frame to frame, three times over, sleeps. What nears its yield "
             "strain, or a body that comes close, wakes it."},
            {"max_halvings", fieldOf<&S::max_halvings>, "", between(0, 30), Simulation,
             "How often a rejected step is tried again at half its length before the run stops."},
            {"plasticity", fieldOf<&S::plasticity>, "", anyValue(), Simulation,
             "Off makes snow purely elastic, for tests."},
            {"threads", fieldOf<&S::threads>, "", between(0, 4096), Picture,
             "Threads; 0 takes all that the machine, cgroup or Slurm grants. Results do not depend on it."},
        }};
    return table;
}

const Table& sceneTable()
{
    using S = Scene;
    static S defaults;
    static const Table table{
        "",
        "These stand at the top of the file, before any table.",
        &defaults,
        "",
        {
            {"version", fieldOf<&S::version>, "", between(1, 1), Picture, "Version of the scene format."},
            {"fps", fieldOf<&S::fps>, "1/s", between(1, 1000), Simulation, "Frames per second."},
            {"frames", framesOf, "", between(-9999999, 9999999), Simulation,
             "First and last frame, `\"1-84\"` or `\"1001-1240\"`; time 0 is the first frame."},
        },
        {
            listOf<&S::snow>("snow", snowTable),
            listOf<&S::bodies>("body", bodyTable),
            childOf<&S::camera>("camera", cameraTable),
            listOf<&S::lights>("light", lightTable),
            childOf<&S::solver>("solver", solverTable),
            childOf<&S::render>("render", renderTable),
        }};
    return table;
}

}  // namespace firn
