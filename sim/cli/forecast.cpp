#include "sim/cli/forecast.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/body/mesh.h"
#include "common/cache/points_file.h"
#include "common/error.h"
#include "common/io/progress.h"
#include "common/io/stopwatch.h"
#include "common/snow/moving_window.h"
#include "common/snow/region.h"
#include "common/snow/stream.h"
#include "sim/cli/far_bodies.h"
#include "sim/cli/fast_bodies.h"
#include "sim/cli/narrow_gaps.h"
#include "sim/cli/particle_counts.h"
#include "sim/cli/stats_line.h"
#include "sim/grid.h"
#include "sim/integrator_choice.h"
#include "sim/seeding.h"
#include "sim/simulation.h"
#include "sim/time_step.h"

namespace firn {
namespace {

constexpr int probeSubsteps = 3;
constexpr double particleNumbers = 4294967296;  // a particle's number has 32 bits

// Measured on snowballs of 0.1 to 3 million particles without optional columns: peak memory above that of the program
// and its libraries, and sizes on disk, each per particle.
constexpr double memoryBytesPerParticle = 220;
constexpr double frameBytesPerParticle = 35;
constexpr double checkpointBytesPerParticle = 94;

/// What the optional columns add to a particle: C, travel and the anchors.
double columnBytes(const Solver& solver)
{
    constexpr double affine = 36, travel = 12, anchors = 7;
    return (solver.transfer == Transfer::Flip ? 0 : affine) + (solver.transfer == Transfer::AffineFlip ? travel : 0) +
           (solver.sleeping ? anchors : 0);
}

/// A step holds two copies of the particles. The semi-implicit solve adds its vectors.
double memoryPerParticle(const Solver& solver)
{
    constexpr double solve = 60;
    return memoryBytesPerParticle + 2 * columnBytes(solver) + (solver.integrator == Integrator::Explicit ? 0 : solve);
}

// The probe measures fresh snow at rest. Loaded snow hardens: its hardest particle comes close to max_hardening, and
// the wave speed grows with the root of that. Measured growth of the explicit substeps of a frame over that root: 0.96
// in the footsteps shot (89 to 209; packed snow had one stiffness then), 0.88 in snowball-drop (277 to 1093), 0.95 in
// snowball-smash (283 to 1197).
// Iterations of an implicit step grow with the power 2/3 of it (snowball-drop 5.8 to 16.3 while waves become 4.8 times
// as fast).
constexpr double hardeningReached = 0.95;
constexpr double iterationsPower = 2. / 3;
// Particles of moving snow are out of order in memory, yield, and are close to bodies: measured means of a shot's
// explicit substeps over the probe's 1.17 to 1.23 in the footsteps shot (0.16 and 0.65 million particles), 1.4 in
// snowball-drop.
constexpr double motionCost = 1.2;

struct Growth {
    double substeps = 1, seconds = 1;  // of a frame; of a substep
};

/// From the probe to the rest of the shot.
Growth growth(const Scene& scene, const FrameStats& probe, const std::string& limit)
{
    if (!scene.solver.plasticity) return {};
    double hardest = 1;
    for (const SnowRegion& snow : scene.snow) hardest = std::max(hardest, snow.material.max_hardening);
    const double faster = std::max(1.0, hardeningReached * std::sqrt(hardest));
    if (probe.integrator == "explicit") return {limit == "wave speed" ? faster : 1, motionCost};
    const double iterations = static_cast<double>(probe.cr_iterations) / static_cast<double>(probe.substeps);
    const double nodes = static_cast<double>(probe.leaves * nodesPerLeaf) / static_cast<double>(probe.particles);
    const double hardened = iterations * std::pow(faster, iterationsPower);
    return {1, implicitStepCost(hardened, nodes) / implicitStepCost(iterations, nodes)};
}

std::size_t checkpointBytes(const Simulation& simulation)
{
    std::size_t bytes = 0;
    for (const auto& [name, data] : simulation.checkpoint().blocks) bytes += data.size();
    return bytes;
}

std::string secondsText(double time_s)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g s", time_s);
    return text;
}

/// The region with the largest bounds, which may have been given in other units: "'bed' measures 1000 x 100 x 1000 m".
std::string largestRegion(const Scene& scene)
{
    const std::vector<Region> regions = regionsOf(scene);
    const auto volume = [](const Region& r) { return r.spec().still ? 0 : r.bounds().volume(); };
    const Region& largest = *std::ranges::max_element(regions, {}, volume);
    return quotedName(largest.spec().name) + " measures " + sizeText(largest.bounds().sizes()) + " m";
}

/// Why a scene without particles has none, where that can be told; otherwise the size of its largest region.
std::string whyEmpty(const Scene& scene)
{
    const double end_s = scene.timeOfFrame(scene.end_frame);
    for (const SnowRegion& region : scene.snow) {
        if (region.source.start_s > end_s)
            return "the snow of " + quotedName(region.name) + " comes at " + secondsText(region.source.start_s) +
                   ", after the last frame (" + secondsText(end_s) + ")";
        if (!region.ground.empty())
            return "the ground of " + quotedName(region.name) +
                   " may be steeper than ground_slope_deg, or may not lie below the region: check size and up_axis of "
                   "the ground";
    }
    return largestRegion(scene) + " (lengths are in metres)";
}

Forecast emptyForecast(const Scene& scene, std::size_t particles, const std::vector<int>& frames)
{
    if (std::ranges::all_of(scene.snow, &SnowRegion::still))
        throw Error(ExitCode::Usage, scene.file.string() +
                                         ": every [[snow]] region is still, so there is nothing to simulate; render "
                                         "the scene, or make a region without still = true");
    if (particles == 0)
        throw Error(ExitCode::Usage,
                    scene.file.string() + ": no particle fits into the [[snow]] regions; " + whyEmpty(scene));
    Forecast forecast;
    forecast.particles = particles;
    forecast.frames = static_cast<int>(frames.size());
    return forecast;
}

/// Whether snow comes later: with the window, or from a source.
bool hasLaterSnow(const Scene& scene) { return !scene.window.body.empty() || hasSource(scene); }

/// Of the surface at time 0. The bounds of a level set hold its narrow band and motion, too.
Box3d boundsOf(const BodyPiece& piece)
{
    const PieceSurface surface = piece.surface(0);
    const auto* const posed = std::get_if<PosedMesh>(&surface);
    if (posed == nullptr) return piece.bounds(0, 0);
    Box3d box;
    for (const Vec3f& vertex : posed->mesh->vertices) box.extend(posed->pose.toWorld(vertex.cast<double>()));
    return box;
}

std::vector<BodySize> sizesOf(const std::vector<Body>& bodies)
{
    std::vector<BodySize> sizes;
    for (const Body& body : bodies) {
        Box3d box;
        for (const auto& piece : body.pieces) box.extend(boundsOf(*piece));
        if (box.sizes().allFinite()) sizes.push_back({body.name, box, body.clip, body.closed});
    }
    return sizes;
}

/// Snow at rest of the scene's first material, about as much as `particles` but not more than a second's work.
Scene blockOfSnow(Scene scene, double particles)
{
    constexpr double least = 2e4, most = 3e5;
    SnowRegion block = *std::ranges::find_if_not(scene.snow, &SnowRegion::still);
    const double count = std::clamp(particles, least, most);
    const double edge = scene.solver.dx * std::cbrt(count / block.particles_per_cell);
    block.shape = SnowShape::Box;
    block.ground = "";
    block.min = Vec3d::Zero();
    block.max = Vec3d::Constant(edge);
    block.rotation_deg = block.velocity = block.spin_rad_s = Vec3d::Zero();
    block.source = {};
    scene.snow = {block};
    scene.bodies.clear();
    scene.window = {};
    scene.solver.sleeping = false;
    return scene;
}

/// What the first substeps of a simulation cost.
struct Probe {
    std::size_t particles = 0, leaves = 0;
    int substeps = 0;
    double dt_s = 0, seconds = 0;  // mean length and time of a substep
    std::string dt_limit;
    double memory_bytes = 0, frame_bytes = 0, checkpoint_bytes = 0;
    FrameStats stats;
};

Probe probe(Simulation& simulation, const Scene& scene)
{
    Probe found;
    double simulated_s = 0, fastest_s = 1e30;
    SubstepStatus last;
    Stopwatch substep;
    const auto goOn = [&](const SubstepStatus& status) {
        last = status;
        simulated_s += status.dt_s;
        // The first substep also finds the cells; the fastest is typical of the many that follow.
        fastest_s = std::min(fastest_s, substep.seconds());
        substep.restart();
        return ++found.substeps < probeSubsteps;
    };
    while (found.substeps < probeSubsteps && simulation.frame() < scene.end_frame) simulation.advanceFrame(goOn);
    // Steps hold the particles twice; a frame is written after one copy is freed, so the peak of memory is here.
    found.memory_bytes = static_cast<double>(peakMemory());
    found.particles = simulation.particleCount();
    found.leaves = last.leaves;
    found.frame_bytes = static_cast<double>(pointsFileBytes(simulation.particleSource()).size());
    found.checkpoint_bytes = static_cast<double>(checkpointBytes(simulation));
    found.stats = simulation.stats();
    found.dt_limit = last.dt_limit;
    if (found.substeps > 0) {
        found.dt_s = simulated_s / found.substeps;
        found.seconds = fastest_s;
    }
    return found;
}

/// From the probe to the whole run.
void extrapolate(const Probe& probe, const Scene& scene, Forecast& f)
{
    const auto particles = static_cast<double>(probe.particles);
    const double mean = f.mean_particles / particles, most = static_cast<double>(f.particles) / particles;
    f.probed = true;
    f.leaves = static_cast<std::size_t>(most * static_cast<double>(probe.leaves));
    f.memory_bytes = most > 1.01 ? std::max(f.memory_bytes, probe.memory_bytes) : probe.memory_bytes;
    f.frame_bytes = most * probe.frame_bytes;
    f.disk_bytes = f.frames * mean * probe.frame_bytes + 2 * most * probe.checkpoint_bytes;
    f.dt_s = probe.dt_s;
    f.dt_limit = probe.dt_limit;
    if (probe.substeps == 0) return;
    const Growth more = growth(scene, probe.stats, f.dt_limit);
    f.substeps_per_frame = std::max(1.0, more.substeps / (scene.fps * f.dt_s));
    f.seconds_per_substep = mean * more.seconds * probe.seconds;
    if (f.dt_limit == "wave speed") f.packed_substeps = stepsInPackedSnow(scene);
}

}  // namespace

Forecast countedForecast(const Scene& scene, const std::vector<int>& frames)
{
    const ParticleCounts counts = countsOf(scene);
    Forecast f = emptyForecast(scene, counts.most, frames);
    const auto particles = static_cast<double>(f.particles);
    f.mean_particles = counts.mean;
    f.memory_bytes = static_cast<double>(peakMemory()) + particles * memoryPerParticle(scene.solver);
    const double checkpoint = checkpointBytesPerParticle + columnBytes(scene.solver);
    f.disk_bytes = counts.mean * f.frames * frameBytesPerParticle + 2 * particles * checkpoint;
    if (particles > particleNumbers) throw Error(ExitCode::Usage, excessText(scene, f));
    return f;
}

Forecast probedForecast(const Scene& scene, const std::vector<int>& frames)
{
    Simulation simulation(scene);
    Forecast f = countedForecast(scene, frames);
    readSequences(scene, simulation.bodies());
    f.remarks = simulation.remarks();
    f.regions = regionSums(scene, simulation.particleSource());
    f.bodies = sizesOf(simulation.bodies());
    f.sources = sourcesOf(scene, simulation.bodies());
    for (const std::string& remark : remarksOf(scene, f.sources)) f.remarks.push_back(remark);
    for (const std::string& remark : remarksOnFarBodies(scene, simulation.bodies())) f.remarks.push_back(remark);
    for (const std::string& remark : remarksOnNarrowGaps(scene, simulation.bodies())) f.remarks.push_back(remark);
    for (const std::string& remark : remarksOnFastBodies(scene, simulation.bodies())) f.remarks.push_back(remark);
    if (hasLaterSnow(scene)) {
        for (const SourceSum& source : f.sources) f.particles -= std::min(f.particles, source.blocked);
        simulation.wakeAll();
    } else {
        f.particles = emptyForecast(scene, simulation.particleCount(), frames).particles;  // without places in bodies
        f.mean_particles = static_cast<double>(f.particles);
    }
    // Few particles tell little about many: a substep has a cost of its own.
    constexpr double enough = 0.7;
    if (static_cast<double>(simulation.particleCount()) >= enough * f.mean_particles) {
        extrapolate(probe(simulation, scene), scene, f);
    } else {
        const Scene block = blockOfSnow(scene, f.mean_particles);
        Simulation resting(block);
        extrapolate(probe(resting, block), scene, f);
    }
    f.seconds = (frames.back() - scene.start_frame) * f.substeps_per_frame * f.seconds_per_substep;
    return f;
}

std::string excessText(const Scene& scene, const Forecast& forecast)
{
    const auto count = static_cast<double>(forecast.particles);
    char particles[80];
    std::snprintf(particles, sizeof particles, "%.2g particles%s", count,
                  count > particleNumbers ? " (no run can have more than 4.3e+09)" : "");
    return scene.file.string() + ": the run needs about " + formatBytes(forecast.memory_bytes) + " of memory for " +
           particles + ", and this machine has " + formatBytes(grantedMemory()) +
           " available; a larger solver.dx or smaller regions need less: " + largestRegion(scene) +
           " (lengths are in metres)";
}

void requireMemory(const Scene& scene, const Forecast& forecast)
{
    if (forecast.memory_bytes > grantedMemory()) throw Error(ExitCode::Usage, excessText(scene, forecast));
}

double grantedMemory()
{
    double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
    }
    return bytes;
}

}  // namespace firn
