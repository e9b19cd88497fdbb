#include "sim/cli/particle_counts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "common/error.h"
#include "common/snow/moving_window.h"
#include "common/snow/region.h"
#include "sim/seeding.h"

namespace firn {
namespace {

/// 0 when a region is too small for the grid of `scene`, which countParticles refuses.
std::size_t countIfAny(const Scene& scene)
{
    try {
        return countParticles(scene);
    } catch (const Error& error) {
        if (error.code() != ExitCode::Usage) throw;
        return 0;
    }
}

/// All cells that the bounds of the regions touch, filled: counting on a grid of dx looks at so many places.
double placesToCount(const std::vector<Region>& regions, double dx)
{
    double places = 0;
    for (const Region& region : regions) {
        if (region.spec().still) continue;
        const Vec3d cells = region.bounds().sizes() / dx;
        places += region.spec().particles_per_cell * (cells.array() + 1).prod();
    }
    return places;
}

/// A body and those that carry it; none for an empty name.
std::set<std::string> carriers(const Scene& scene, std::string name)
{
    std::set<std::string> names;
    for (; !name.empty(); name = std::ranges::find(scene.bodies, name, &BodySpec::name)->parent) names.insert(name);
    return names;
}

/// Counts on coarser grids first, and stops before counting itself takes long: each halving of dx gives eight times as
/// many particles. Bodies are ignored, because their level sets take longer than the count; snow inside them is counted
/// too. Only those on which layers lie are made.
std::size_t estimateParticles(Scene scene)
{
    constexpr double many = 1e6, most = 1e18;
    std::set<std::string> grounds;
    for (const SnowRegion& region : scene.snow) grounds.merge(carriers(scene, region.ground));
    std::erase_if(scene.bodies, [&](const BodySpec& body) { return !grounds.contains(body.name); });
    const double dx = scene.solver.dx;
    int halvings = 0;
    for (const auto regions = regionsOf(scene); placesToCount(regions, std::ldexp(dx, halvings)) > many;) ++halvings;
    for (; halvings > 0; --halvings) {
        scene.solver.dx = std::ldexp(dx, halvings);
        const auto count = static_cast<double>(countIfAny(scene));
        if (8 * count > many) return static_cast<std::size_t>(std::min(most, std::ldexp(count, 3 * halvings)));
    }
    scene.solver.dx = dx;
    return countParticles(scene);
}

/// The scene with one of its bodies and those that carry it.
Scene withBody(Scene scene, const std::string& name)
{
    const std::set<std::string> needed = carriers(scene, name);
    std::erase_if(scene.bodies, [&](const BodySpec& body) { return !needed.contains(body.name); });
    return scene;
}

template <class Predicate>
Scene withRegions(Scene scene, const Predicate& isWanted)
{
    std::erase_if(scene.snow, [&](const SnowRegion& region) { return !isWanted(region); });
    return scene;
}

/// Adds snow to the counts of the frames: `particles` times the part of it that is there in a frame.
template <class PartInFrame>
void add(std::size_t particles, const PartInFrame& part, std::vector<double>& counts)
{
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += static_cast<double>(particles) * part(i);
}

/// Of layers that wait for the window.
void addWaiting(const Scene& waiting, const MovingWindow& window, std::vector<double>& counts)
{
    std::vector<double> part(counts.size());
    for (const SnowRegion& region : waiting.snow) {
        const std::vector<double> shares = window.shares(Region(waiting, region).bounds());
        for (std::size_t i = 0; i < part.size(); ++i) part[i] = std::max(part[i], shares[i]);
    }
    add(
        estimateParticles(waiting), [&](std::size_t i) { return part[i]; }, counts);
}

/// Of a region whose snow comes during the shot.
void addSource(const Scene& alone, std::vector<double>& counts)
{
    const SnowSource& source = alone.snow.front().source;
    const double begin = source.start_s, end = alone.timeOfFrame(alone.end_frame);
    const double length = std::min(source.length_s, end - begin);
    const auto part = [&](std::size_t i) {
        const double passed = static_cast<double>(i) / alone.fps - begin;
        return passed < 0 ? 0 : length > 0 ? std::min(1., passed / length) : 1;
    };
    add(estimateParticles(alone), part, counts);
}

}  // namespace

ParticleCounts countsOf(const Scene& scene)
{
    std::vector<double> counts(static_cast<std::size_t>(scene.end_frame - scene.start_frame + 1));
    const auto isSource = [](const SnowRegion& region) { return region.source.isThere(); };
    const Scene alone = withBody(scene, scene.window.body);
    const MovingWindow window(alone, makeBodies(alone));
    const auto waits = [&](const SnowRegion& region) { return window.isThere() && window.covers(region); };
    const auto everywhere = [](std::size_t) { return 1.; };
    add(estimateParticles(withRegions(scene, [&](const auto& r) { return !isSource(r) && !waits(r); })), everywhere,
        counts);
    if (window.isThere()) addWaiting(withRegions(scene, waits), window, counts);
    for (std::size_t r = 0; r < scene.snow.size(); ++r)
        if (isSource(scene.snow[r]) && !waits(scene.snow[r])) {
            Scene one = scene;
            one.snow = {scene.snow[r]};
            addSource(one, counts);
        }
    const double most = *std::ranges::max_element(counts);
    if (most == 0 && window.isThere())
        throw Error(ExitCode::Usage, scene.file.string() + ": the window around body " + quotedName(scene.window.body) +
                                         " reaches no snow in any frame");
    return {static_cast<std::size_t>(most),
            std::accumulate(counts.begin(), counts.end(), 0.) / static_cast<double>(counts.size())};
}

}  // namespace firn
