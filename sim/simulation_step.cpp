// Steps of a simulation, and how their length is halved where one fails.

#include <algorithm>

#include "common/error.h"
#include "common/io/stopwatch.h"
#include "sim/simulation_parts.h"

namespace firn {

namespace {

std::string halvedText(int halvings)
{
    if (halvings == 0) return "";
    return ", also after " + std::to_string(halvings) + (halvings == 1 ? " halving" : " halvings") + " of dt";
}

}  // namespace

/// One step of Stomakhin et al. 2013, section 4.1. Step 2, the volumes, is done at seeding. The result is in `next`.
UpdateResult SimulationParts::step(double dt)
{
    contact.bodies().place(time(), dt);     //     bodies where they are at the end of the step
    sort();                                 //     leaves that the kernels reach
    transferToGrid();                       //  1. m_i, v_i
    computeForces();                        //  3. f_i
    updateNodes(dt);                        //  4. v*
    applyContact(dt);                       //  5. v* after contact
    if (state.implicit) solveImplicit(dt);  //  6. v at n+1, contact again
    return transferToParticles(dt);         //  7., 8., 9., 10. F_E, J_P, v_p, contact, x_p
}

void SimulationParts::sort()
{
    const Timed timed(phases.sort);
    order.build(particles);
    grid.activate(order);
}

void SimulationParts::transferToGrid()
{
    const Timed timed(phases.rasterize);
    rasterize(particles, order, grid);
    if (sleepers.count() > 0) rasterize(sleepers.particles(), sleepers.rim(grid), grid);
}

void SimulationParts::computeForces()
{
    const Timed timed(phases.forces);
    addForces(particles, materials, order, grid);
    if (sleepers.count() > 0) addForces(sleepers.particles(), materials, sleepers.rim(grid), grid);
}

void SimulationParts::updateNodes(double dt)
{
    const Timed timed(phases.grid);
    updateVelocities(grid, dt, scene.solver.gravity, min_mass);
}

void SimulationParts::applyContact(double dt)
{
    const Timed timed(phases.grid);
    const Participants awake{particles, order};
    const ContactStep step{scene.solver.dx, dt,         contact.bodies().maxBodySpeed(time()) * dt, state.steps == 0,
                           state.implicit,  adhesion_pa};
    if (sleepers.count() == 0) return contact.apply(grid, step, awake, nullptr);
    const Participants asleep{sleepers.particles(), sleepers.rim(grid)};
    contact.apply(grid, step, awake, &asleep);
}

void SimulationParts::solveImplicit(double dt)
{
    const Timed timed(phases.solve);
    const SolveResult result = implicit_solver.solve(particles, materials, order, grid, contact.held(),
                                                     contact.impulses(), scene.solver, dt, min_mass, next);
    state.stats.cr_iterations += result.iterations;
    state.stats.cr_failures += !result.converged;
    contact.applyAgain(grid);
}

UpdateResult SimulationParts::transferToParticles(double dt)
{
    const Timed timed(phases.particles);
    if (sleepers.count() > 0)
        sleepers.findDisturbed(
            grid, contact.bodies(), Sleepers::wakeStrain * yield_speed + scene.solver.gravity.norm() * dt,
            [&](const Vec3i& block) { return waiting.isThere() && waiting.isBorder(block, state.frame + 1); });
    VelocityRule rule = velocityRule(scene.solver, dt);
    if (air.isThere()) rule.air = {&air, time()};
    rule.grinding = powder.grinding();
    prepareTransfer(grid, rule, rule.transfer == Transfer::AffineFlip ? contact.touchedNodes(grid) : NodeFlags());
    return updateParticles(particles, materials, order, grid, contact.ofParticles(), rule, next);
}

/// Takes a step of the chosen length. If the step fails its checks, half the length is tried, and so on.
void SimulationParts::stepOrHalve(const StepLimit& limit)
{
    double dt = limit.dt;
    for (int halvings = 0;; ++halvings, dt /= 2) {
        const UpdateResult result = step(dt);
        if (result.failed < 0) return acceptStep(limit, dt, result);
        ++state.stats.rollbacks;
        if (halvings == scene.solver.max_halvings)
            throw Error(
                ExitCode::Diverged,
                "step " + std::to_string(state.steps) + " at " + std::to_string(time()) + " s failed: particle " +
                    std::to_string(result.failed) + " " + result.failure + halvedText(halvings) +
                    ", with dt = " + std::to_string(dt * 1e6) +
                    " us. A body that jumps into snow can be the cause, or bodies that squeeze snow between them");
    }
}

void SimulationParts::acceptStep(const StepLimit& limit, double dt, const UpdateResult& result)
{
    std::swap(particles, next);
    contact.accept();
    const double frameSeconds = 1 / scene.fps;
    const bool landed = dt == limit.dt && state.time_in_frame + dt > frameSeconds * (1 - 1e-9);
    const double before_s = time();
    state.time_in_frame = landed ? frameSeconds : state.time_in_frame + dt;
    state.max_speed = result.max_speed;
    // Without awake snow, only this keeps a step so short that gravity does not wake the sleeping snow.
    state.max_wave_speed = std::max(result.max_wave_speed, rest_speed);
    wakeDisturbed();
    const FrameStats born = addBorn(before_s, landed ? scene.timeOfFrame(state.frame + 1) : time());
    ++state.steps;
    FrameStats& s = state.stats;
    s.dt_min_s = s.substeps == 0 ? dt : std::min(s.dt_min_s, dt);
    s.dt_max_s = std::max(s.dt_max_s, dt);
    ++s.substeps;
    ++state.limits[limit.reason];
    s.dt_limit = std::max_element(state.limits.begin(), state.limits.end(), [](const auto& a, const auto& b) {
                     return a.second < b.second;
                 })->first;
    s.particles = particles.size() + sleepers.count();
    s.sleeping = sleepers.count();
    s.leaves = grid.leafCount();
    s.mass_kg = result.mass + sleepers.mass() + born.mass_kg;
    s.momentum = result.momentum + born.momentum;
    s.max_speed_m_s = result.max_speed;
}

void SimulationParts::wakeDisturbed()
{
    const std::size_t before = particles.size();
    sleepers.wakeDisturbed(particles);
    if (particles.size() == before) return;
    contact.wake(std::span(std::as_const(particles).id).subspan(before));
    state.max_wave_speed = std::max(state.max_wave_speed, fastestWave(particles, materials, before));
}

/// Adds the snow that its sources make in a step; returns what it measures.
FrameStats SimulationParts::addBorn(double from_s, double until_s)
{
    if (!sources.isThere()) return {};
    const Particles born =
        sources.born(from_s, until_s, contact.bodies(), waiting.numbers(), {&particles, &sleepers.particles()});
    if (born.size() == 0) return {};
    SolverState measured;
    measure(born, materials, measured);
    state.max_speed = std::max(state.max_speed, measured.max_speed);
    state.max_wave_speed = std::max(state.max_wave_speed, measured.max_wave_speed);
    appendAll(born, particles);
    return measured.stats;
}

}  // namespace firn
