// Keys of the top level, [solver], [air] and [window].

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
             "Spacing of the grid's nodes. It sets the resolution: half the spacing means 8 times as many particles."},
            {"integrator",
             fieldOf<&S::integrator>,
             "",
             anyValue(),
             Simulation,
             "Explicit takes many small, cheap steps; implicit takes fewer, larger ones, which damp impacts. Auto "
             "chooses for every frame: explicit where snow is fast, otherwise the cheaper one.",
             "",
             {"explicit", "implicit", "auto"}},
            {"dt_s", fieldOf<&S::dt_s>, "s", between(0, 1), Simulation,
             "Upper bound of the time step; 0 lets the program choose the step alone."},
            {"transfer",
             fieldOf<&S::transfer>,
             "",
             anyValue(),
             Simulation,
             "How velocities get from particles to grid and back. Affine FLIP (aflip) keeps most motion: rotation, "
             "spray and splashes. APIC damps more and takes less memory. FLIP is the paper's blend of FLIP and PIC; in "
             "fast impacts it gives back energy that snow would absorb. It is the default where all snow has the "
             "preset `paper`.",
             "",
             {"aflip", "apic", "flip"}},
            {"contact",
             fieldOf<&S::contact>,
             "",
             anyValue(),
             Simulation,
             "How bodies act on snow. By impulses, snow touches a body where its surface is, and friction holds what "
             "has come to rest. The paper's way stops grid nodes inside bodies, and holds snow about a cell above "
             "them. It is the default where all snow has the preset `paper`.",
             "",
             {"impulses", "nodes"}},
            {"flip_ratio", fieldOf<&S::flip_ratio>, "", between(0, 1), Simulation,
             "With `flip` and `aflip`: how much of their own motion particles keep in one reference step. 1 keeps all "
             "of it, which looks lively and noisy; 0 takes velocities from the grid alone, which damps. It is the "
             "share α of FLIP in the paper; the rest is PIC."},
            {"flip_reference_dt_s", fieldOf<&S::flip_reference_dt_s>, "s", aboveUpTo(0, 1), Simulation,
             "The reference step of `flip_ratio`."},
            {"flip_dt_invariant", fieldOf<&S::flip_dt_invariant>, "", anyValue(), Simulation,
             "Scales α to the actual time step, so that damping does not depend on the step. Otherwise α applies to "
             "every step, as in the paper."},
            {"cfl", fieldOf<&S::cfl>, "cells", aboveUpTo(0, 1), Simulation,
             "How far particles and bodies may move in one step."},
            {"wave_cfl", fieldOf<&S::wave_cfl>, "", aboveUpTo(0, 1), Simulation,
             "Longest explicit step, as a fraction of the time in which a pressure wave crosses a cell."},
            {"implicitness", fieldOf<&S::implicitness>, "", between(0, 1), Simulation,
             "β of the semi-implicit step: 1 is backward Euler, 0.5 trapezoidal, 0 explicit."},
            {"implicit_dt_s", fieldOf<&S::implicit_dt_s>, "s", aboveUpTo(0, 1), Simulation,
             "Longest semi-implicit step."},
            {"cr_tolerance", fieldOf<&S::cr_tolerance>, "", aboveUpTo(0, 1), Simulation,
             "The semi-implicit solve stops when its residual is this fraction of the first residual."},
            {"cr_max_iterations", fieldOf<&S::cr_max_iterations>, "", between(1, 100000), Simulation,
             "Upper bound of the iterations of one semi-implicit solve. Solves that would need more are counted in "
             "stats.jsonl."},
            {"gravity", fieldOf<&S::gravity>, "m/s²", between(-1e4, 1e4), Simulation, "Gravity."},
            {"sleeping", fieldOf<&S::sleeping>, "", anyValue(), Simulation,
             "Leaves undisturbed snow out of the computation until something near it moves."},
            {"sleep_cells", fieldOf<&S::sleep_cells>, "cells", aboveUpTo(0, 0.4), Simulation,
             "Snow sleeps after it has moved by less than this in each of three frames in a row. It wakes when a wave "
             "arrives that would strain it by half of its yield strain, or when a moving body comes close."},
            {"max_halvings", fieldOf<&S::max_halvings>, "", between(0, 30), Simulation,
             "How many times the length of a rejected step is halved before the run stops."},
            {"plasticity", fieldOf<&S::plasticity>, "", anyValue(), Simulation,
             "With false, snow is purely elastic, which is for tests."},
            {"threads", fieldOf<&S::threads>, "", between(0, 4096), Picture,
             "Number of threads; 0: `SLURM_CPUS_PER_TASK`, or else all processors that may be used. Results do not "
             "depend on it."},
        }};
    return table;
}

const Table& airTable()
{
    using A = Air;
    static A defaults;
    static const Table table{
        "[air]",
        "Air slows and carries loose snow, such as spray and crumbs, by their size (`crumb_mm` of a material) and "
        "density. Packed snow is not touched. Without this table snow falls as in a vacuum.",
        &defaults,
        "",
        {
            {"density_kg_m3", fieldOf<&A::density_kg_m3>, "kg/m³", between(0, 10), Simulation,
             "Density of the air: 1.29 at 0 °C and sea level, 0.9 at 3000 m. 0 means no air."},
            {"wind_m_s", fieldOf<&A::wind_m_s>, "m/s", between(-60, 60), Simulation, "Velocity of the wind."},
            {"gust_m_s", fieldOf<&A::gust_m_s>, "m/s", between(0, 30), Simulation,
             "Mean (rms) speed of gusts, which come on top of the wind and are carried by it. They are free of "
             "divergence, so they stir spray without gathering it."},
            {"gust_size_m", fieldOf<&A::gust_size_m>, "m", length_m(), Simulation, "Size of the gusts."},
            {"seed", fieldOf<&A::seed>, "", anyValue(), Simulation, "Another number gives other gusts."},
            {"most_puffs", fieldOf<&A::most_puffs>, "", between(100, 10000000), SimulationIfSet,
             "Most puffs of powder (`[snow.powder]`) at a time. Where there would be more, close puffs become one, "
             "which can leave a fifth of this number."},
        }};
    return table;
}

const Table& windowTable()
{
    using W = Window;
    static W defaults;
    static const Table table{
        "[window]",
        "The simulated snow follows a body along a long path. Layers at rest enter the simulation where the window "
        "reaches them. Some time after it has passed, they leave it and lie as they are in all later frames. Memory "
        "and time then depend on the size of the window and not on the length of the path. `solver.sleeping` must be "
        "true. Without this table all snow is simulated from the start.",
        &defaults,
        "",
        {
            {"body", fieldOf<&W::body>, "", anyValue(), Simulation,
             "Name of the body that the window follows. Empty means no window."},
            {"reach_m", fieldOf<&W::reach_m>, "m", lengthOrZero_m(), Simulation,
             "How far the window reaches beyond the body's bounds, in x and z. Snow that the body pushes or throws "
             "should not come to its border."},
            {"trail_s", fieldOf<&W::trail_s>, "s", between(0, 1e6), Simulation,
             "How long snow stays in the simulation after the window has left it. It leaves when it sleeps and no "
             "moving snow is above it or beside it."},
        }};
    return table;
}

const Table& sceneTable()
{
    using S = Scene;
    static S defaults;
    static const Table table{
        "",
        "These keys come first in the file, before any table.",
        &defaults,
        "",
        {
            {"version", fieldOf<&S::version>, "", between(1, 1), Picture, "Version of the scene format."},
            {"fps", fieldOf<&S::fps>, "1/s", between(1, 1000), Simulation, "Frames per second."},
            {"frames", framesOf, "", between(-9999999, 9999999), Simulation,
             "First and last frame, such as `\"1-84\"` or `\"1001-1240\"`. The first frame is time 0."},
        },
        {
            listOf<&S::snow>("snow", snowTable),
            listOf<&S::bodies>("body", bodyTable),
            childOf<&S::camera>("camera", cameraTable),
            listOf<&S::lights>("light", lightTable),
            childOf<&S::solver>("solver", solverTable),
            childOf<&S::air>("air", airTable),
            childOf<&S::window>("window", windowTable),
            childOf<&S::render>("render", renderTable),
        }};
    return table;
}

}  // namespace firn
