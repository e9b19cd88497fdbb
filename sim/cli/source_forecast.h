#pragma once
// What `firn-sim check` says about snow that comes during the shot ([snow.source]).

#include <string>
#include <vector>

#include "sim/cli/forecast.h"

namespace firn {

std::vector<SourceSum> sourcesOf(const Scene& scene);

/// Adds what is surely a mistake: sources that bring next to nothing, and mouths inside bodies.
void remarkOnSources(const Scene& scene, const std::vector<SourceSum>& sources, std::vector<std::string>& remarks);

}  // namespace firn
