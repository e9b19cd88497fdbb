// The time of a substep of one million particles, eight per cell, by phase: nanoseconds of wall time per particle. Also
// particle steps per CPU second, and bytes per particle. "Rest" is a block on the ground. "Impact" is a slab, twelve
// cells thick, that has hit the ground at 5 m/s and is being compacted; `yielding` is the share of particles whose J_P
// a step changes.
//
//     build/tests/bench/step_bench --benchmark_filter=Impact

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <ctime>

#include "sim/simulation.h"

namespace {

using namespace firn;

Scene sceneOf(bool impact, Integrator integrator)
{
    Scene scene;
    scene.solver.dx = 0.01;
    scene.solver.integrator = integrator;
    scene.end_frame = 1000;
    SnowRegion snow;
    snow.name = "snow";
    snow.max = impact ? Vec3d(1.02, 0.12, 1.02) : Vec3d(0.5, 0.5, 0.5);
    if (impact) snow.velocity = Vec3d(0, -5, 0);
    scene.snow = {snow};
    BodySpec ground;
    ground.name = "ground";
    scene.bodies = {ground};
    return scene;
}

/// The share of particles whose J_P the next step changes.
template <class Advance>
double yieldingShare(const Simulation& simulation, const Advance& advance)
{
    const auto byId = [&] {
        const ParticleFrame frame = simulation.particleFrame();
        std::vector<float> J_P(frame.size());
        for (std::size_t i = 0; i < frame.size(); ++i) J_P[frame.id[i]] = frame.J_P[i];
        return J_P;
    };
    const std::vector<float> before = byId();
    advance(1);
    const std::vector<float> after = byId();
    std::size_t changed = 0;
    for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != after[i];
    return static_cast<double>(changed) / static_cast<double>(before.size());
}

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void step(benchmark::State& state, bool impact, Integrator integrator)
{
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(state.range(0)));
    Scene scene = sceneOf(impact, integrator);
    scene.solver.transfer = static_cast<Transfer>(state.range(1));
    scene.solver.contact = static_cast<ContactMethod>(state.range(2));
    Simulation simulation(scene);
    const auto advance = [&](long count) {
        long done = 0;
        while (done < count) simulation.advanceFrame([&](const SubstepStatus&) { return ++done < count; });
    };
    constexpr double warmUp_s = 0.003;  // a third of the slab yields
    double simulated_s = 0;
    const auto untilWarm = [&](const SubstepStatus& status) { return (simulated_s += status.dt_s) < warmUp_s; };
    while (simulated_s < warmUp_s) simulation.advanceFrame(untilWarm);
    const PhaseSeconds before = simulation.phases();
    const double cpuBefore = cpuSeconds();
    const long iterationsBefore = simulation.stats().cr_iterations;
    long steps = 0;
    while (state.KeepRunning()) {
        advance(1);
        ++steps;
    }
    const PhaseSeconds after = simulation.phases();
    const double particleSteps = static_cast<double>(simulation.particleCount()) * static_cast<double>(steps);
    const auto perParticle = [&](double PhaseSeconds::*phase) {
        return (after.*phase - before.*phase) / particleSteps * 1e9;
    };
    state.counters["sort_ns"] = perParticle(&PhaseSeconds::sort);
    state.counters["rasterize_ns"] = perParticle(&PhaseSeconds::rasterize);
    state.counters["forces_ns"] = perParticle(&PhaseSeconds::forces);
    state.counters["grid_ns"] = perParticle(&PhaseSeconds::grid);
    state.counters["solve_ns"] = perParticle(&PhaseSeconds::solve);
    state.counters["particles_ns"] = perParticle(&PhaseSeconds::particles);
    state.counters["Msteps_per_cpu_s"] = particleSteps / (cpuSeconds() - cpuBefore) * 1e-6;
    state.counters["iterations"] =
        static_cast<double>(simulation.stats().cr_iterations - iterationsBefore) / static_cast<double>(steps);
    state.counters["yielding"] = impact ? yieldingShare(simulation, advance) : 0;
    state.counters["bytes_per_particle"] =
        static_cast<double>(simulation.bytes()) / static_cast<double>(simulation.particleCount());
}

void explicitRest(benchmark::State& state) { step(state, false, Integrator::Explicit); }
void explicitImpact(benchmark::State& state) { step(state, true, Integrator::Explicit); }
void implicitImpact(benchmark::State& state) { step(state, true, Integrator::Implicit); }

/// For one and two threads, for each transfer: 0 is affine FLIP, 1 APIC, 2 FLIP, and for each contact: 0 by impulses, 1
/// on nodes.
void eachTransfer(benchmark::internal::Benchmark* bench)
{
    bench->ArgNames({"threads", "transfer", "contact"})->ArgsProduct({{1, 2}, {0, 1, 2}, {0, 1}});
    bench->UseRealTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK(explicitRest)->Iterations(20)->Apply(eachTransfer);
BENCHMARK(explicitImpact)->Iterations(20)->Apply(eachTransfer);
BENCHMARK(implicitImpact)->Iterations(5)->Apply(eachTransfer);

}  // namespace

BENCHMARK_MAIN();
