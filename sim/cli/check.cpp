#include "sim/cli/check.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "common/cache/points_file.h"
#include "common/io/progress.h"
#include "common/io/threads.h"
#include "sim/cli/stats_line.h"
#include "sim/simulation.h"

namespace firn {
namespace {

constexpr int probe_substeps = 3;

struct Forecast {
    std::size_t particles = 0;
    std::size_t leaves = 0;
    int frames = 0;
    double memory_bytes = 0;  // peak of the whole run
    double frame_bytes = 0;   // of one points file
    double disk_bytes = 0;    // of all of them and two checkpoints
    double dt_s = 0;          // mean of the probe
    std::string dt_limit;
    double substeps_per_frame = 0;
    double seconds_per_substep = 0;
    double seconds = 0;  // of the whole run
    int threads = 0;
};

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::size_t checkpointBytes(const Simulation& simulation)
{
    std::size_t bytes = 0;
    for (const auto& [name, data] : simulation.checkpoint().blocks) bytes += data.size();
    return bytes;
}

/// Runs the first substeps and scales up.
Forecast probe(const Scene& scene)
{
    Simulation simulation(scene);
    if (simulation.particleCount() == 0) {
        throw Error(ExitCode::Usage, scene.file.string() + ": no particle was seeded; its [[snow]] is empty");
    }
    int substeps = 0;
    double simulated_s = 0, fastest_s = 1e30;
    SubstepStatus last;
    auto start = std::chrono::steady_clock::now();
    const auto goOn = [&](const SubstepStatus& status) {
        last = status;
        simulated_s += status.dt_s;
        // The first substep also finds the cells; the fastest says what the many to come will take.
        fastest_s = std::min(fastest_s, secondsSince(start));
        start = std::chrono::steady_clock::now();
        return ++substeps < probe_substeps;
    };
    while (substeps < probe_substeps && simulation.frame() < scene.end_frame) simulation.advanceFrame(goOn);

    Forecast f;
    f.particles = simulation.particleCount();
    f.leaves = last.leaves;
    f.frames = scene.end_frame - scene.start_frame + 1;
    // Writing a frame needs its serialised bytes beside the simulation: the peak was reached once here.
    const std::string bytes = pointsFileBytes(simulation.particleFrame());
    f.frame_bytes = static_cast<double>(bytes.size());
    f.memory_bytes = static_cast<double>(peakMemory());
    f.disk_bytes = f.frames * f.frame_bytes + 2.0 * static_cast<double>(checkpointBytes(simulation));
    f.dt_s = substeps > 0 ? simulated_s / substeps : 0;
    f.dt_limit = last.dt_limit;
    f.substeps_per_frame = f.dt_s > 0 ? std::max(1.0, 1 / (scene.fps * f.dt_s)) : 0;
    f.seconds_per_substep = substeps > 0 ? fastest_s : 0;
    f.seconds = (f.frames - 1) * f.substeps_per_frame * f.seconds_per_substep;
    return f;
}

void printJson(const Forecast& f)
{
    const nlohmann::ordered_json json = {{"particles", f.particles},
                                         {"leaves", f.leaves},
                                         {"frames", f.frames},
                                         {"memory_bytes", f.memory_bytes},
                                         {"frame_bytes", f.frame_bytes},
                                         {"disk_bytes", f.disk_bytes},
                                         {"dt_s", f.dt_s},
                                         {"dt_limit", f.dt_limit},
                                         {"substeps_per_frame", f.substeps_per_frame},
                                         {"seconds_per_substep", f.seconds_per_substep},
                                         {"seconds", f.seconds},
                                         {"threads", f.threads}};
    std::cout << json.dump(2) << std::endl;
}

void printTable(const Forecast& f, const Scene& scene)
{
    std::printf("%s: valid\n", scene.file.c_str());
    std::printf("  frames       %d-%d at %g fps\n", scene.start_frame, scene.end_frame, scene.fps);
    std::printf("  particles    %zu at dx %g m\n", f.particles, scene.solver.dx);
    std::printf("  leaves       %zu of 8^3 nodes\n", f.leaves);
    std::printf("  memory       %s\n", formatBytes(f.memory_bytes).c_str());
    std::printf("  disk         %s (%s a frame)\n", formatBytes(f.disk_bytes).c_str(),
                formatBytes(f.frame_bytes).c_str());
    std::printf("  substeps     %.0f a frame, dt %.3g ms limited by %s\n", f.substeps_per_frame, 1e3 * f.dt_s,
                f.dt_limit.c_str());
    std::printf("  time         %s with %d threads, from %d substeps of %.3g s\n", formatDuration(f.seconds).c_str(),
                f.threads, probe_substeps, f.seconds_per_substep);
    std::printf("Halving dx takes 8 times the particles, memory and disk (%s, %s) and about 16 times the time (%s).\n",
                formatBytes(8 * f.memory_bytes).c_str(), formatBytes(8 * f.disk_bytes).c_str(),
                formatDuration(16 * f.seconds).c_str());
}

}  // namespace

ExitCode check(const CheckOptions& options)
{
    const LoadedScene loaded = loadScene(options.shot, options.scene);
    const ThreadCount threads = chooseThreads(options.threads > 0 ? options.threads : loaded.scene.solver.threads);
    Forecast forecast;
    runWithThreads(threads.count, [&] { forecast = probe(loaded.scene); });
    forecast.threads = threads.count;
    if (options.json) {
        printJson(forecast);
    } else {
        printTable(forecast, loaded.scene);
    }
    return ExitCode::Done;
}

}  // namespace firn
