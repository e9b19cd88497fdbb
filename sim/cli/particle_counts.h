#pragma once
// How many particles a run has, before any of them is made.

#include <cstddef>

#include "common/scene/scene.h"

namespace firn {

struct ParticleCounts {
    std::size_t most = 0;  // that are in the simulation at once
    double mean = 0;       // over the frames of the scene
};

/// Beyond a million the numbers are estimates. Of layers that wait for the window, those in it count; of sources, the
/// snow that has come. Throws Error(Usage) if the window reaches no snow.
ParticleCounts countsOf(const Scene& scene);

}  // namespace firn
