// A substep of one million particles, eight per cell, by phase: in nanoseconds of wall time per particle, with particle
// steps per CPU second and bytes per particle. "Rest" is a block on the ground, "Impact" a ball hitting it at 5 m/s.
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
    if (impact) {
        snow.shape = SnowShape::Sphere;
        snow.radius_m = 0.31;  // 4/3 pi 31^3 cells of 8 particles: 1.0 million
        snow.center = Vec3d(0, 0.32, 0);
        snow.velocity = Vec3d(0, -5, 0);
    } else {
        snow.max = Vec3d(0.5, 0.5, 0.5);
    }
    scene.snow = {snow};
    BodySpec ground;
    ground.name = "ground";
    scene.bodies = {ground};
    return scene;
}

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void step(benchmark::State& state, bool impact, Integrator integrator)
{
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(state.range(0)));
    Simulation simulation(sceneOf(impact, integrator));
    const auto advance = [&](long count) {
        long done = 0;
        while (done < count) simulation.advanceFrame([&](const SubstepStatus&) { return ++done < count; });
    };
    advance(10);
    const PhaseSeconds before = simulation.phases();
    const double cpuBefore = cpuSeconds();
    const long iterationsBefore = simulation.stats().cr_iterations;
    long steps = 0;
    for (auto _ : state) {
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
    state.counters["bytes_per_particle"] =
        static_cast<double>(simulation.bytes()) / static_cast<double>(simulation.particleCount());
}

void explicitRest(benchmark::State& state) { step(state, false, Integrator::Explicit); }
void explicitImpact(benchmark::State& state) { step(state, true, Integrator::Explicit); }
void implicitImpact(benchmark::State& state) { step(state, true, Integrator::Implicit); }

BENCHMARK(explicitRest)->Arg(1)->Arg(2)->Iterations(20)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(explicitImpact)->Arg(1)->Arg(2)->Iterations(20)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(implicitImpact)->Arg(1)->Arg(2)->Iterations(5)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
