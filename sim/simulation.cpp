#include "sim/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/body/body.h"
#include "common/body/nested.h"
#include "common/error.h"
#include "common/io/stopwatch.h"
#include "sim/air.h"
#include "sim/diagnostics.h"
#include "sim/implicit.h"
#include "sim/integrator_choice.h"
#include "sim/particle_output.h"
#include "sim/powder.h"
#include "sim/seeding.h"
#include "sim/sleep.h"
#include "sim/snow_contact.h"
#include "sim/snow_sources.h"
#include "sim/state.h"
#include "sim/time_step.h"
#include "sim/transfer.h"
#include "sim/volumes.h"
#include "sim/waiting_snow.h"

namespace firn {

namespace {

std::string halvedText(int halvings)
{
    if (halvings == 0) return "";
    return ", also after " + std::to_string(halvings) + (halvings == 1 ? " halving" : " halvings") + " of dt";
}

}  // namespace

struct Simulation::Impl {
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

    explicit Impl(const Scene& from)
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

ParticleSource Simulation::Impl::sourceOf(const Particles& moving, const Particles& asleep,
                                          const std::vector<Puff>& puffs) const
{
    ParticleSource source;
    source.about.frame = state.frame;
    source.about.time_s = time();
    source.about.dx_m = scene.solver.dx;
    source.about.frozen = state.stats.frozen;
    source.count = moving.size() + asleep.size() + puffs.size();
    source.read = [this, &moving, &asleep, &puffs](std::span<const std::uint32_t> rows, ParticleFrame& frame) {
        const auto speed = [&](const Puff& puff) { return powder.velocity(puff, time()); };
        readParticles({moving, asleep, puffs, speed}, scene.solver.dx, rows, frame);
    };
    return source;
}

void Simulation::Impl::prepare()
{
    if (scene.solver.sleeping) rest_speed = restWaveSpeed(scene, materials);
    if (waiting.isThere() || sources.isThere() || powder.isThere()) {
        min_mass = 1e-7 * lightestMass(scene);  // whatever is there already, and has given off powder
        return;
    }
    float lightest = std::numeric_limits<float>::max();
    for (const auto* masses : {&std::as_const(particles).mass, &sleepers.particles().mass})
        for (const float mass : *masses) lightest = std::min(lightest, mass);
    min_mass = 1e-7 * lightest;
}

void Simulation::Impl::startFrame()
{
    const double nodes = static_cast<double>(state.stats.leaves * nodesPerLeaf);  // of the frame before
    state.startFrame(scene);
    settle();
    moveWindow();
    const FrameStart start{state.max_speed,
                           contact.bodies().maxBodySpeed(time()),
                           state.max_wave_speed,
                           state.iterations_per_courant,
                           nodes / std::max(1., static_cast<double>(particles.size())),
                           yield_speed};
    const IntegratorChoice choice = chooseIntegrator(scene.solver, start, 1 / scene.fps);
    state.implicit = choice.implicit;
    state.stats.integrator = choice.implicit ? "implicit" : "explicit";
    state.stats.integrator_reason = choice.reason;
}

void Simulation::Impl::endFrame()
{
    if (state.implicit) {
        const double steps = static_cast<double>(state.stats.substeps);
        const double courant = courantNumber(state.max_wave_speed, 1 / scene.fps / steps, scene.solver.dx);
        state.iterations_per_courant = static_cast<double>(state.stats.cr_iterations) / steps / courant;
    }
    ++state.frame;
    state.time_in_frame = 0;
    next = Particles();  // free the second copy; writing the frame needs the memory
    if (waiting.isThere()) state.stats.beyond = waiting.countBeyond(state.frame, particles);
    if (powder.isThere()) raisePowder();
    diagnoseFrame();
}

/// The powder of the frame that has ended: what the snow gives off, and how all of it flies.
void Simulation::Impl::raisePowder()
{
    const double frameSeconds = 1 / scene.fps;
    state.stats.mass_kg -= powder.advance(particles, contact.bodies(), time() - frameSeconds, frameSeconds);
    state.stats.puffs = powder.puffs().size();
    state.stats.powder_kg = powder.mass();
    state.stats.settled_powder_kg = powder.settledMass();
    state.stats.has_fewer_puffs = powder.isLimited();
}

void Simulation::Impl::diagnoseFrame()
{
    contact.bodies().place(time(), 0);
    sleepers.compact();
    state.stats.diagnostics = Diagnostics();
    for (const Particles* some : {&std::as_const(particles), &sleepers.particles()})
        state.stats.diagnostics += diagnose(*some, materials, contact.bodies(), scene.solver.dx, scene.solver.gravity);
}

/// One step of Stomakhin et al. 2013, section 4.1. Step 2, the volumes, is done at seeding. The result is in `next`.
UpdateResult Simulation::Impl::step(double dt)
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

/// Puts undisturbed snow to sleep, at the start of a frame.
void Simulation::Impl::settle()
{
    if (!scene.solver.sleeping || !scene.solver.plasticity) return;
    contact.bodies().place(time(), 0);
    const std::size_t before = sleepers.count();
    sleepers.settle(particles, contact.bodies(), scene.solver.dx, scene.solver.sleep_cells, 1 / scene.fps);
    if (sleepers.count() > before) contact.fallAsleep(sleepers.particles().id);
}

/// Freezes the snow that the window has left behind, and adds the snow that it reaches. The frame under way comes next.
void Simulation::Impl::moveWindow()
{
    frozen = Particles();
    if (!waiting.isThere()) return;
    const int frame = state.frame + 1;
    frozen = waiting.takeLeft(frame, particles, sleepers);
    contact.forget(frozen.id);
    state.stats.frozen += frozen.size();
    sleepers.add(waiting.reachedIn(frame));
}

void Simulation::Impl::wakeDisturbed()
{
    const std::size_t before = particles.size();
    sleepers.wakeDisturbed(particles);
    if (particles.size() == before) return;
    contact.wake(std::span(std::as_const(particles).id).subspan(before));
    state.max_wave_speed = std::max(state.max_wave_speed, fastestWave(particles, materials, before));
}

/// Adds the snow that its sources make in a step; returns what it measures.
FrameStats Simulation::Impl::addBorn(double from_s, double until_s)
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

void Simulation::Impl::sort()
{
    const Timed timed(phases.sort);
    order.build(particles);
    grid.activate(order);
}

void Simulation::Impl::transferToGrid()
{
    const Timed timed(phases.rasterize);
    rasterize(particles, order, grid);
    if (sleepers.count() > 0) rasterize(sleepers.particles(), sleepers.rim(grid), grid);
}

void Simulation::Impl::computeForces()
{
    const Timed timed(phases.forces);
    addForces(particles, materials, order, grid);
    if (sleepers.count() > 0) addForces(sleepers.particles(), materials, sleepers.rim(grid), grid);
}

void Simulation::Impl::updateNodes(double dt)
{
    const Timed timed(phases.grid);
    updateVelocities(grid, dt, scene.solver.gravity, min_mass);
}

void Simulation::Impl::applyContact(double dt)
{
    const Timed timed(phases.grid);
    const Participants awake{particles, order};
    const ContactStep step{scene.solver.dx, dt,         contact.bodies().maxBodySpeed(time()) * dt, state.steps == 0,
                           state.implicit,  adhesion_pa};
    if (sleepers.count() == 0) return contact.apply(grid, step, awake, nullptr);
    const Participants asleep{sleepers.particles(), sleepers.rim(grid)};
    contact.apply(grid, step, awake, &asleep);
}

void Simulation::Impl::solveImplicit(double dt)
{
    const Timed timed(phases.solve);
    const SolveResult result = implicit_solver.solve(particles, materials, order, grid, contact.held(),
                                                     contact.impulses(), scene.solver, dt, min_mass, next);
    state.stats.cr_iterations += result.iterations;
    state.stats.cr_failures += !result.converged;
    contact.applyAgain(grid);
}

UpdateResult Simulation::Impl::transferToParticles(double dt)
{
    const Timed timed(phases.particles);
    if (sleepers.count() > 0)
        sleepers.findDisturbed(
            grid, contact.bodies(), Sleepers::wakeStrain * yield_speed + scene.solver.gravity.norm() * dt,
            [&](const Vec3i& block) { return waiting.isThere() && waiting.isBorder(block, state.frame + 1); });
    VelocityRule rule = velocityRule(scene.solver, dt);
    if (air.isThere()) rule.air = {&air, time()};
    rule.grinding = powder.grinding();
    prepareTransfer(grid, rule, contact.touchedNodes(grid));
    return updateParticles(particles, materials, order, grid, contact.ofParticles(), rule, next);
}

/// Takes a step of the chosen length. If the step fails its checks, half the length is tried, and so on.
void Simulation::Impl::stepOrHalve(const StepLimit& limit)
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

void Simulation::Impl::acceptStep(const StepLimit& limit, double dt, const UpdateResult& result)
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

Simulation::Simulation(const Scene& scene) : m(std::make_unique<Impl>(scene))
{
    m->particles = seed(scene, m->bodies, m->waiting.window(), m->remarks);
    if (m->waiting.isThere()) {
        startTransfer(scene, m->particles);
        m->sleepers.add(m->waiting.reachedIn(scene.start_frame));
    }
    for (const std::string& remark : remarksOf(m->waiting.window(), scene)) m->remarks.push_back(remark);
    for (const Body& body : m->bodies) m->remarks.insert(m->remarks.end(), body.remarks.begin(), body.remarks.end());
    for (const auto& [inner, outer] : nestedBodies(m->bodies, 0))
        m->remarks.push_back("body " + quotedName(m->bodies[inner].name) + " is inside body " +
                             quotedName(m->bodies[outer].name) +
                             " at the first frame: snow does not touch it until it leaves that body");
    m->state.frame = scene.start_frame;
    m->prepare();
    measureGridVolumes(scene, m->particles, m->order, m->grid);
    measure(m->particles, m->materials, m->state);
    m->state.max_wave_speed = std::max(m->state.max_wave_speed, m->rest_speed);
    m->state.stats.particles += m->sleepers.count();
    m->state.stats.sleeping = m->sleepers.count();
    m->state.stats.mass_kg += m->sleepers.mass();
    m->diagnoseFrame();
}

Simulation::Simulation(const Scene& scene, const Checkpoint& checkpoint) : m(std::make_unique<Impl>(scene))
{
    Particles asleep;
    keepColumnsFor(scene, asleep);
    m->particles.keepColumnsOf(asleep);
    m->frozen.keepColumnsOf(asleep);
    restore(checkpoint, m->particles, asleep, m->frozen, m->state);
    m->contact.restore(checkpoint);
    m->powder.restore(checkpoint);
    m->sleepers.restore(asleep);
    m->prepare();
}

Simulation::~Simulation() = default;

int Simulation::frame() const { return m->state.frame; }
std::size_t Simulation::particleCount() const { return m->particles.size() + m->sleepers.count(); }
const FrameStats& Simulation::stats() const { return m->state.stats; }
const std::vector<std::string>& Simulation::remarks() const { return m->remarks; }
const std::vector<Body>& Simulation::bodies() const { return m->bodies; }
std::vector<std::pair<std::size_t, double>> Simulation::fullMouths() const
{
    return m->sources.full(m->time(), {&m->particles, &m->sleepers.particles()});
}
PhaseSeconds Simulation::phases() const { return m->phases; }

bool Simulation::advanceFrame(const std::function<bool(const SubstepStatus&)>& goOn)
{
    const Timed timed(m->state.stats.seconds);
    SolverState& state = m->state;
    const double frameSeconds = 1 / m->scene.fps;
    if (state.time_in_frame == 0) m->startFrame();
    while (state.time_in_frame < frameSeconds) {
        const StepLimit limit =
            chooseStep(m->scene.solver, state.max_speed, m->contact.bodies().maxBodySpeed(m->time()),
                       state.max_wave_speed, state.implicit, frameSeconds - state.time_in_frame);
        m->stepOrHalve(limit);
        const SubstepStatus status{state.frame + 1,      state.time_in_frame / frameSeconds,
                                   state.stats.substeps, limit.dt,
                                   limit.reason,         particleCount(),
                                   m->grid.leafCount()};
        if (goOn && !goOn(status) && state.time_in_frame < frameSeconds) return false;
    }
    m->endFrame();
    return true;
}

void Simulation::wakeAll()
{
    m->sleepers.wakeAll(m->particles);
    m->contact.wake(m->particles.id);
}

std::size_t Simulation::bytes() const
{
    std::size_t total = m->grid.bytes() + m->order.bytes() + m->implicit_solver.bytes() + m->sleepers.bytes();
    for (const Particles* p : {&m->particles, &m->next})
        Particles::forEachColumn(
            *p, [&](const std::string&, const auto& column) { total += column.capacity() * sizeof(column[0]); });
    return total;
}

ParticleSource Simulation::particleSource() const
{
    m->sleepers.compact();
    return m->sourceOf(m->particles, m->sleepers.particles(), m->powder.puffs());
}

ParticleSource Simulation::frozenSource() const
{
    static const Particles none;
    static const std::vector<Puff> noPuffs;
    return m->sourceOf(none, m->frozen, noPuffs);
}

ParticleFrame Simulation::particleFrame() const { return wholeFrame(particleSource()); }

CheckpointView Simulation::checkpoint() const
{
    m->sleepers.compact();
    CheckpointView view = checkpointView(m->particles, m->sleepers.particles(), m->frozen, m->state);
    m->contact.addTo(view);
    m->powder.addTo(view);
    return view;
}

}  // namespace firn
