#include "sim/cli/check.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "common/cli/program.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "common/io/progress.h"
#include "common/io/threads.h"
#include "sim/cli/forecast.h"
#include "sim/cli/run.h"
#include "sim/powder.h"

namespace firn {
namespace {

using Json = nlohmann::ordered_json;

constexpr double halvingParticles = 8, halvingTime = 16;  // dx / 2: 8 times the particles, twice the substeps

Json regionsJson(const std::vector<RegionSum>& regions)
{
    Json list = Json::array();
    for (const RegionSum& region : regions) {
        const Vec3d low = region.bounds.min(), high = region.bounds.max();
        list.push_back({{"name", region.name},
                        {"preset", region.preset},
                        {"particles", region.particles},
                        {"mass_kg", region.mass_kg},
                        {"min_m", {low.x(), low.y(), low.z()}},
                        {"max_m", {high.x(), high.y(), high.z()}}});
    }
    return list;
}

void printRegions(const std::vector<RegionSum>& regions)
{
    for (const RegionSum& region : regions) {
        const Vec3d low = region.bounds.min(), high = region.bounds.max();
        std::printf("  snow         %s (%s): %zu %s, %.3g kg, from (%.2f, %.2f, %.2f) to (%.2f, %.2f, %.2f) m\n",
                    quotedName(region.name).c_str(), region.preset.c_str(), region.particles,
                    region.particles == 1 ? "particle" : "particles", region.mass_kg, low.x(), low.y(), low.z(),
                    high.x(), high.y(), high.z());
    }
}

Json bodiesJson(const std::vector<BodySize>& bodies)
{
    Json list = Json::array();
    for (const BodySize& body : bodies) {
        const Vec3d low = body.bounds.min(), high = body.bounds.max();
        list.push_back({{"name", body.name},
                        {"min_m", {low.x(), low.y(), low.z()}},
                        {"max_m", {high.x(), high.y(), high.z()}},
                        {"clip", body.clip},
                        {"closed_holes", body.closed}});
    }
    return list;
}

void printPlaces(const BodySpec& spec)
{
    for (const BodyPlace& place : spec.places) {
        std::string where = place.material.empty() ? "" : "material " + quotedName(place.material);
        if (place.facing != Facing::Any) where += where.empty() ? "facing " : ", facing ";
        if (place.facing != Facing::Any) where += place.facing == Facing::Down ? "down" : "up";
        std::printf("    place      %s: friction %g%s\n", where.c_str(), place.friction,
                    place.sticky ? ", sticky" : "");
    }
}

void printBodies(const Scene& scene, const std::vector<BodySize>& bodies)
{
    for (const BodySize& body : bodies) {
        const Vec3d low = body.bounds.min(), size = body.bounds.sizes();
        std::string more;
        for (const std::string& text : {body.clip, body.closed})
            if (!text.empty()) more += "; " + text;
        std::printf("  body         %s: %.3g x %.3g x %.3g m, from (%.2f, %.2f, %.2f) m at the first frame%s\n",
                    quotedName(body.name).c_str(), size.x(), size.y(), size.z(), low.x(), low.y(), low.z(),
                    more.c_str());
        printPlaces(*std::ranges::find(scene.bodies, body.name, &BodySpec::name));
    }
}

void printSources(const std::vector<SourceSum>& sources)
{
    for (const SourceSum& source : sources) {
        std::printf("  source       %s (%s): about %zu particles, ", quotedName(source.name).c_str(),
                    source.preset.c_str(), source.particles);
        if (source.end_s > source.start_s)
            std::printf("from %.3g to %.3g s\n", source.start_s, source.end_s);
        else
            std::printf("at %.3g s\n", source.start_s);
    }
}

void printJson(const Scene& scene, const Forecast& f, int threads)
{
    Json values = {{"particles", f.particles},
                   {"mean_particles", f.mean_particles},
                   {"frames", f.frames},
                   {"memory_bytes", f.memory_bytes},
                   {"granted_memory_bytes", grantedMemory()},
                   {"disk_bytes", f.disk_bytes},
                   {"threads", threads},
                   {"probed", f.probed}};
    if (hasPowder(scene)) values["most_puffs"] = scene.air.most_puffs;
    if (f.probed) {
        values.update({{"warnings", f.remarks},
                       {"regions", regionsJson(f.regions)},
                       {"bodies", bodiesJson(f.bodies)},
                       {"leaves", f.leaves},
                       {"frame_bytes", f.frame_bytes},
                       {"dt_s", f.dt_s},
                       {"dt_limit", f.dt_limit},
                       {"substeps_per_frame", f.substeps_per_frame},
                       {"packed_substeps_per_frame", f.packed_substeps},
                       {"seconds_per_substep", f.seconds_per_substep},
                       {"seconds", f.seconds}});
    }
    std::cout << jsonText(values, 2) << std::endl;
}

void printProbe(const Forecast& f, int threads)
{
    std::printf("  grid         %zu blocks of 8×8×8 nodes\n", f.leaves);
    if (f.dt_limit.empty()) {
        std::printf("  substeps     none: there is one frame\n");
        return;
    }
    std::printf("  substeps     %.0f per frame", f.substeps_per_frame);
    if (f.packed_substeps > f.substeps_per_frame)
        std::printf(", about %.0f while bodies pack the snow", f.packed_substeps);
    std::printf("; dt %.3g ms at first, limited by %s\n", 1e3 * f.dt_s, f.dt_limit.c_str());
    std::printf("  time         %s with %d %s, %.3g s per substep\n", formatDuration(f.seconds).c_str(), threads,
                threads == 1 ? "thread" : "threads", f.seconds_per_substep);
    std::printf("Halving dx needs 8 times the particles, memory and disk (%s, %s) and about 16 times the time (%s).\n",
                formatBytes(halvingParticles * f.memory_bytes).c_str(),
                formatBytes(halvingParticles * f.disk_bytes).c_str(), formatDuration(halvingTime * f.seconds).c_str());
}

void printTable(const Forecast& f, const Scene& scene, const std::vector<int>& frames, int threads)
{
    std::printf("%s: valid\n", scene.file.c_str());
    std::printf("  frames       %s at %g fps\n", formatFrames(frames).c_str(), scene.fps);
    std::printf("  particles    %zu at dx %g m\n", f.particles, scene.solver.dx);
    printRegions(f.regions);
    printSources(f.sources);
    printBodies(scene, f.bodies);
    if (hasPowder(scene)) std::printf("  powder       at most %d puffs (air.most_puffs)\n", scene.air.most_puffs);
    std::printf("  memory       %s\n", formatBytes(f.memory_bytes).c_str());
    std::printf("  disk         %s\n", formatBytes(f.disk_bytes).c_str());
    if (f.probed) {
        printProbe(f, threads);
    } else {
        std::printf("  time         not measured: the shot needs more than the %s of memory of this machine\n",
                    formatBytes(grantedMemory()).c_str());
    }
}

}  // namespace

ExitCode check(const CheckOptions& options)
{
    const LoadedScene loaded = loadScene(options.shot, options.scene);
    const std::vector<int> frames = framesToWrite(loaded.scene, options.frames);
    const int threads = chooseThreads(options.threads > 0 ? options.threads : loaded.scene.solver.threads).count;
    Forecast forecast;
    runWithThreads(threads, [&] {
        forecast = countedForecast(loaded.scene, frames);
        if (forecast.memory_bytes < grantedMemory()) {
            forecast = probedForecast(loaded.scene, frames);
        } else {
            forecast.remarks.push_back("this machine cannot run the shot. " + excessText(loaded.scene, forecast));
        }
    });
    for (const std::string& remark : forecast.remarks) warn("warning: " + remark);
    if (options.json) {
        printJson(loaded.scene, forecast, threads);
    } else {
        printTable(forecast, loaded.scene, frames, threads);
    }
    return ExitCode::Done;
}

}  // namespace firn
