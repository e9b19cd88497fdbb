#pragma once
// What firn-sim says about snow that comes during the shot ([snow.source]).

#include <string>
#include <vector>

#include "common/body/body.h"
#include "common/scene/scene.h"

namespace firn {

/// Snow that comes during the shot.
struct SourceSum {
    std::string name, preset;
    double start_s = 0, end_s = 0;  // equal: at once
    double share_inside = 0;        // of its mouth that is inside bodies when the snow begins to flow
    std::size_t particles = 0;      // until the end of the shot, without those of that share
    std::size_t blocked = 0;        // those of that share
};

/// `bodies`: those that snow collides with.
std::vector<SourceSum> sourcesOf(const Scene& scene, const std::vector<Body>& bodies);

/// What is surely a mistake: sources that bring next to nothing, and mouths inside bodies.
std::vector<std::string> remarksOf(const Scene& scene, const std::vector<SourceSum>& sources);

}  // namespace firn
