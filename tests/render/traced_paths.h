#pragma once
// Means over traced paths.

#include "monte_carlo.h"
#include "render/radiance.h"

namespace firn::test {

/// Of value(result). Path i begins at start(i); both run on many threads.
template <class Start, class Value>
Estimate averagePaths(const RenderScene& scene, int count, Start start, Value value)
{
    std::vector<double> values(static_cast<std::size_t>(count));
    tracePathsInParallel(
        scene, count, [&](int i) { return start(static_cast<std::uint32_t>(i)); },
        [&](int i, const PathResult& result) {
            values[static_cast<std::size_t>(i)] = static_cast<double>(value(result));
        });
    return average(count, [&](std::uint32_t i) { return values[i]; });
}

/// Of the radiance in a channel.
template <class Start>
Estimate averageRadiance(const RenderScene& scene, int count, Start start, int channel = 0)
{
    return averagePaths(scene, count, start, [&](const PathResult& result) { return result.radiance[channel]; });
}

}  // namespace firn::test
