#pragma once
// What `firn-sim check` says about snow that comes during the shot ([snow.source]).

#include <string>
#include <vector>

#include "common/scene/scene.h"

namespace firn {

/// Snow that comes during the shot.
struct SourceSum {
    std::string name, preset;
    double start_s = 0, end_s = 0;  // equal: at once
    std::size_t particles = 0;      // until the end of the shot, were no body or snow in the way
};

std::vector<SourceSum> sourcesOf(const Scene& scene);

/// Adds what is surely a mistake: sources that bring next to nothing, and mouths inside bodies.
void remarkOnSources(const Scene& scene, const std::vector<SourceSum>& sources, std::vector<std::string>& remarks);

}  // namespace firn
