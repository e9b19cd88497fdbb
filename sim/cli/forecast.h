#pragma once
// What a run will take: counted, and measured on the first substeps.

#include <cstddef>
#include <string>

#include "common/scene/scene.h"

namespace firn {

struct Forecast {
    std::size_t particles = 0;
    int frames = 0;
    double memory_bytes = 0;  // peak of the whole run
    double disk_bytes = 0;    // all points files and two checkpoints

    bool probed = false;  // the rest is known, and the two above are measured
    std::size_t leaves = 0;
    double frame_bytes = 0;  // one points file
    double dt_s = 0;         // mean of the probe
    std::string dt_limit;
    double substeps_per_frame = 0;   // once the snow has hardened
    double seconds_per_substep = 0;  // once it moves
    double seconds = 0;              // of the whole run
};

/// From the number of particles alone, which is an estimate beyond a million, before any of them is made. Throws
/// Error(Usage) when there is none.
Forecast countedForecast(const Scene& scene);

/// Runs the first three substeps and scales up, for snow that will harden. Throws Error.
Forecast probedForecast(const Scene& scene);

/// Memory that this machine and the process limits (RLIMIT_AS) grant, bytes.
double grantedMemory();

}  // namespace firn
