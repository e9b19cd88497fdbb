#include "sim/simulation.h"

#include <algorithm>
#include <limits>

#include "common/body/nested.h"
#include "common/io/stopwatch.h"
#include "sim/diagnostics.h"
#include "sim/integrator_choice.h"
#include "sim/seeding.h"
#include "sim/simulation_parts.h"
#include "sim/volumes.h"

namespace firn {

struct Simulation::Impl : SimulationParts {
    using SimulationParts::SimulationParts;
};

ParticleSource SimulationParts::sourceOf(const Particles& moving, const Particles& asleep,
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

void SimulationParts::prepare()
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

void SimulationParts::startFrame()
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

void SimulationParts::endFrame()
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
void SimulationParts::raisePowder()
{
    const double frameSeconds = 1 / scene.fps;
    state.stats.mass_kg -= powder.advance(particles, contact.bodies(), time() - frameSeconds, frameSeconds);
    state.stats.puffs = powder.puffs().size();
    state.stats.powder_kg = powder.mass();
    state.stats.settled_powder_kg = powder.settledMass();
    state.stats.has_fewer_puffs = powder.isLimited();
}

void SimulationParts::diagnoseFrame()
{
    contact.bodies().place(time(), 0);
    sleepers.compact();
    state.stats.diagnostics = Diagnostics();
    for (const Particles* some : {&std::as_const(particles), &sleepers.particles()})
        state.stats.diagnostics += diagnose(*some, materials, contact.bodies(), scene.solver.dx, scene.solver.gravity);
}

/// Puts undisturbed snow to sleep, at the start of a frame.
void SimulationParts::settle()
{
    if (!scene.solver.sleeping || !scene.solver.plasticity) return;
    contact.bodies().place(time(), 0);
    const std::size_t before = sleepers.count();
    sleepers.settle(particles, contact.bodies(), scene.solver.dx, scene.solver.sleep_cells, 1 / scene.fps);
    if (sleepers.count() > before) contact.fallAsleep(sleepers.particles().id);
}

/// Freezes the snow that the window has left behind, and adds the snow that it reaches. The frame under way comes next.
void SimulationParts::moveWindow()
{
    frozen = Particles();
    if (!waiting.isThere()) return;
    const int frame = state.frame + 1;
    frozen = waiting.takeLeft(frame, particles, sleepers);
    contact.forget(frozen.id);
    state.stats.frozen += frozen.size();
    sleepers.add(waiting.reachedIn(frame));
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
