#pragma once
// Forecast of what a run needs: from the number of particles, or measured on the first substeps.

#include <cstddef>
#include <string>
#include <vector>

#include "common/scene/scene.h"
#include "sim/cli/region_sums.h"
#include "sim/cli/source_forecast.h"

namespace firn {

/// Where a body is at the first frame; planes are left out.
struct BodySize {
    std::string name;
    Box3d bounds;        // m
    std::string clip;    // Body::clip
    std::string closed;  // Body::closed
};

struct Forecast {
    std::size_t particles = 0;  // at most at once
    double mean_particles = 0;  // over the frames
    int frames = 0;             // to be written
    double memory_bytes = 0;    // peak of the whole run
    double disk_bytes = 0;      // all points files and two checkpoints

    bool probed = false;  // the fields below are known, and the two above are measured
    std::vector<RegionSum> regions;
    std::vector<BodySize> bodies;
    std::vector<SourceSum> sources;
    std::size_t leaves = 0;
    double frame_bytes = 0;  // one points file
    double dt_s = 0;         // mean of the measured substeps
    std::string dt_limit;
    double substeps_per_frame = 0;     // after the snow has hardened
    double packed_substeps = 0;        // per frame, while bodies pack the snow; 0 where waves do not limit the step
    double seconds_per_substep = 0;    // while it moves, of the mean number of particles
    double seconds = 0;                // of the whole run
    std::vector<std::string> remarks;  // of the scene (Simulation::remarks)
};

/// Of a run that writes `frames` (ascending), from the number of particles alone, before any of them is made; beyond a
/// million the number is an estimate. Throws Error(Usage) when there is no particle, or more than 2^32, which no run
/// can have.
Forecast countedForecast(const Scene& scene, const std::vector<int>& frames);

/// Runs the first three substeps and extrapolates to the whole run, in which snow hardens. If most of the snow comes
/// later, runs those of a block of such snow instead. Reads all files of bodies that are sequences. Throws Error.
Forecast probedForecast(const Scene& scene, const std::vector<int>& frames);

/// How much memory the run needs, what the machine grants, and which region is the largest.
std::string excessText(const Scene& scene, const Forecast& forecast);

/// Throws Error(Usage) when the machine does not grant the memory.
void requireMemory(const Scene& scene, const Forecast& forecast);

/// Memory that the machine has and the limit of the process (RLIMIT_AS) allows, bytes.
double grantedMemory();

}  // namespace firn
