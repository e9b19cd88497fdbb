#include "sim/cli/source_forecast.h"

#include <algorithm>
#include <cmath>

#include "common/error.h"
#include "common/snow/stream.h"
#include "sim/seeding.h"
#include "sim/snow_sources.h"

namespace firn {

namespace {

/// The shares of the regions' streams that begin inside bodies, from the first frame of each stream.
std::vector<double> sharesInside(const Scene& scene)
{
    const SnowSources sources(scene);
    std::vector<double> shares(scene.snow.size());
    if (!sources.isThere()) return shares;
    const std::vector<Body> bodies = makeCollidingBodies(scene);
    Contact contact(bodies, scene.solver.dx);
    for (std::size_t r = 0; r < shares.size(); ++r) {
        const SnowSource& source = scene.snow[r].source;
        if (source.length_s == 0) continue;
        const double end_s = source.start_s + std::min(source.length_s, 1 / scene.fps);
        contact.place(source.start_s, end_s - source.start_s);
        shares[r] = sources.shareInside(r, source.start_s, end_s, contact);
    }
    return shares;
}

void remarkOnMouths(const Scene& scene, std::vector<std::string>& remarks)
{
    constexpr double many = 0.05;
    const std::vector<double> shares = sharesInside(scene);
    for (std::size_t r = 0; r < shares.size(); ++r)
        if (shares[r] > many)
            remarks.push_back(
                "snow region " + quotedName(scene.snow[r].name) + ": " + std::to_string(std::lround(100 * shares[r])) +
                " % of its mouth is inside bodies when its snow begins to flow; no snow comes from there");
}

}  // namespace

std::vector<SourceSum> sourcesOf(const Scene& scene)
{
    std::vector<SourceSum> sums;
    for (std::size_t r = 0; r < scene.snow.size(); ++r) {
        const SnowRegion& snow = scene.snow[r];
        if (!snow.source.isThere()) continue;
        const double start_s = snow.source.start_s;
        sums.push_back({snow.name, snow.preset, start_s, start_s + snow.source.length_s, countFromSource(scene, r)});
    }
    return sums;
}

void remarkOnSources(const Scene& scene, const std::vector<SourceSum>& sources, std::vector<std::string>& remarks)
{
    constexpr std::size_t few = 100;
    for (const SourceSum& source : sources) {
        const std::string name = "snow region " + quotedName(source.name);
        if (source.start_s > scene.timeOfFrame(scene.end_frame))
            remarks.push_back(name + ": its snow comes after the last frame, and so not at all");
        else if (source.particles < few)
            remarks.push_back(name + " brings only about " + std::to_string(source.particles) +
                              " particles until the last frame");
    }
    remarkOnMouths(scene, remarks);
}

}  // namespace firn
