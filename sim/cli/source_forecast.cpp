#include "sim/cli/source_forecast.h"

#include <algorithm>
#include <cmath>

#include "common/error.h"
#include "common/snow/stream.h"
#include "sim/seeding.h"
#include "sim/snow_sources.h"

namespace firn {

namespace {

/// The shares of the regions' sources whose snow begins inside bodies, from the first frame of each source.
std::vector<double> sharesInside(const Scene& scene, const std::vector<Body>& bodies)
{
    const SnowSources sources(scene);
    std::vector<double> shares(scene.snow.size());
    if (!sources.isThere()) return shares;
    Contact contact(bodies, scene.solver.dx);
    for (std::size_t r = 0; r < shares.size(); ++r) {
        const SnowSource& source = scene.snow[r].source;
        if (!source.isThere()) continue;
        const double frame_s = 1 / scene.fps, start_s = source.start_s;
        const double from_s = source.length_s > 0 ? start_s : start_s - frame_s;
        const double end_s = source.length_s > 0 ? start_s + std::min(source.length_s, frame_s) : start_s;
        contact.place(from_s, end_s - from_s);
        shares[r] = sources.shareInside(r, from_s, end_s, contact);
    }
    return shares;
}

}  // namespace

std::vector<SourceSum> sourcesOf(const Scene& scene, const std::vector<Body>& bodies)
{
    const std::vector<double> shares = sharesInside(scene, bodies);
    std::vector<SourceSum> sums;
    for (std::size_t r = 0; r < scene.snow.size(); ++r) {
        const SnowRegion& snow = scene.snow[r];
        if (!snow.source.isThere()) continue;
        const double start_s = snow.source.start_s;
        const std::size_t all = countFromSource(scene, r);
        const auto blocked = static_cast<std::size_t>(shares[r] * static_cast<double>(all));
        sums.push_back({.name = snow.name,
                        .preset = snow.preset,
                        .start_s = start_s,
                        .end_s = start_s + snow.source.length_s,
                        .share_inside = shares[r],
                        .particles = all - blocked,
                        .blocked = blocked});
    }
    return sums;
}

std::vector<std::string> remarksOf(const Scene& scene, const std::vector<SourceSum>& sources)
{
    constexpr std::size_t few = 100;
    constexpr double many = 0.05;
    std::vector<std::string> remarks;
    for (const SourceSum& source : sources) {
        const std::string name = "snow region " + quotedName(source.name);
        if (source.start_s > scene.timeOfFrame(scene.end_frame))
            remarks.push_back(name + ": its snow would start after the last frame, so none appears");
        else if (source.particles < few && source.blocked < few)
            remarks.push_back(name + " brings only about " + std::to_string(source.particles) +
                              " particles until the last frame");
        if (source.share_inside > many)
            remarks.push_back(
                name + ": " + std::to_string(std::lround(100 * source.share_inside)) +
                (source.end_s > source.start_s
                     ? " % of its mouth is inside bodies when its snow begins to flow; no snow comes from there"
                     : " % of its places are inside bodies when its snow comes; no snow comes there"));
    }
    return remarks;
}

}  // namespace firn
