#include "sim/snow_sources.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "common/error.h"
#include "common/snow/seams.h"
#include "sim/seeding.h"

namespace firn {

namespace {

using Cell = std::tuple<int, int, int>;

/// The cells in `box` (m) that hold particles, in order.
std::vector<Cell> cellsIn(const Box3d& box, const std::vector<const Particles*>& snow, double dx)
{
    std::vector<Cell> cells;
    for (const Particles* some : snow)
        for (std::size_t p = 0; p < some->size(); ++p)
            if (box.contains(position(*some, p, dx)))
                cells.emplace_back(some->cell[0][p], some->cell[1][p], some->cell[2][p]);
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

Cell cellOf(const Vec3d& x)
{
    const Vec3i cell = x.array().floor().cast<int>();
    return {cell.x(), cell.y(), cell.z()};
}

/// Mass of the snow that fills a region, from samples half a cell apart, kg.
double fullMass(const Region& region, double dx)
{
    const double h = 0.5 * dx;
    const Box3d box = region.bounds();
    const Vec3i count = (box.sizes() / h).array().ceil().cast<int>();
    double mass = 0;
    for (int i = 0; i < count.x(); ++i)
        for (int j = 0; j < count.y(); ++j)
            for (int k = 0; k < count.z(); ++k) {
                const Vec3d x = box.min() + h * Vec3d(i + 0.5, j + 0.5, k + 0.5);
                if (const double depth = region.depth(x); depth >= 0) mass += region.density(x, depth) * h * h * h;
            }
    return mass;
}

}  // namespace

SnowSources::SnowSources(const Scene& scene) : m_scene(scene)
{
    if (!hasSource(scene)) return;
    m_regions = regionsOf(scene);
    for (std::size_t r = 0; r < m_regions.size(); ++r) {
        const SnowRegion& spec = m_regions[r].spec();
        if (!spec.source.isThere()) continue;
        Source source{r, nullptr, nullptr, 0};
        if (spec.source.length_s > 0) {
            source.stream = std::make_unique<SnowStream>(scene, m_regions[r]);
            source.full_kg = fullMass(m_regions[r], scene.solver.dx);
        }
        if (!spec.source.body.empty())
            source.motion = carrierOf(scene, *std::ranges::find(scene.bodies, spec.source.body, &BodySpec::name), {},
                                      "snow region " + quotedName(spec.name));
        m_sources.push_back(std::move(source));
    }
}

std::vector<SnowStream::Birth> SnowSources::birthsOf(const Source& source, double from_s, double until_s) const
{
    if (source.stream) return source.stream->births(from_s, until_s);
    const double start_s = m_regions[source.region].spec().source.start_s;
    std::vector<SnowStream::Birth> births;
    if (start_s <= from_s || start_s > until_s) return births;
    for (const auto& slab : seedsOf(m_regions, source.region, m_scene.solver.dx, {}).slabs)
        for (const Seed& seed : slab) births.push_back({seed, m_scene.solver.dx * seed.x});
    return births;
}

SnowSources::Start SnowSources::startOf(const Source& source, const Vec3d& here, double from_s, double until_s) const
{
    const Vec3d& velocity = m_regions[source.region].spec().velocity;
    if (!source.motion) return {here, velocity};
    const Pose before = source.motion->pose(from_s), now = source.motion->pose(until_s);
    const Vec3d position = now.toWorld(here);
    return {position, now.rotation * velocity + velocityAt(before, now, until_s - from_s, position)};
}

bool SnowSources::isInside(const Vec3d& position_m, const Contact& bodies) const
{
    return bodies.immersion(bodies.near(position_m, m_scene.solver.dx), position_m).body >= 0;
}

double SnowSources::shareInside(std::size_t region, double from_s, double until_s, const Contact& bodies) const
{
    const auto source = std::ranges::find(m_sources, region, &Source::region);
    if (source == m_sources.end()) return 0;
    const std::vector<SnowStream::Birth> births = birthsOf(*source, from_s, until_s);
    const auto inside = std::ranges::count_if(births, [&](const SnowStream::Birth& birth) {
        return isInside(startOf(*source, birth.now_m, from_s, until_s).position_m, bodies);
    });
    return births.empty() ? 0 : static_cast<double>(inside) / static_cast<double>(births.size());
}

double SnowSources::massInMouth(const Source& source, double time_s, const std::vector<const Particles*>& snow) const
{
    const Region& region = m_regions[source.region];
    const Box3d box = region.bounds();
    const Pose pose = source.motion ? source.motion->pose(time_s) : Pose{};
    double mass = 0;
    for (const Particles* some : snow)
        for (std::size_t p = 0; p < some->size(); ++p) {
            const Vec3d x = pose.toLocal(position(*some, p, m_scene.solver.dx));
            if (box.contains(x) && region.depth(x) >= 0) mass += static_cast<double>(some->mass[p]);
        }
    return mass;
}

std::vector<std::pair<std::size_t, double>> SnowSources::full(double time_s,
                                                              const std::vector<const Particles*>& snow) const
{
    constexpr double many = 2;
    std::vector<std::pair<std::size_t, double>> found;
    for (const Source& source : m_sources) {
        const SnowSource& spec = m_regions[source.region].spec().source;
        if (!source.stream || time_s < spec.start_s || time_s > spec.start_s + spec.length_s) continue;
        const double ratio = massInMouth(source, time_s, snow) / source.full_kg;
        if (ratio >= many) found.emplace_back(source.region, ratio);
    }
    return found;
}

Particles SnowSources::born(double from_s, double until_s, const Contact& bodies, const PlaceNumbers& numbers,
                            const std::vector<const Particles*>& others) const
{
    const double dx = m_scene.solver.dx;
    Particles all;
    all.varied_strength = hasVariedStrength(m_scene);
    for (const Source& source : m_sources) {
        const Region& region = m_regions[source.region];
        const std::vector<SnowStream::Birth> births = birthsOf(source, from_s, until_s);
        std::vector<Cell> taken;
        if (!births.empty() && !source.stream) taken = cellsIn(region.bounds(), others, dx);
        Seeds seeds;
        seeds.slabs.resize(1);
        std::vector<Start> starts;
        std::vector<std::uint32_t> ids;
        for (const SnowStream::Birth& birth : births) {
            const Start start = startOf(source, birth.now_m, from_s, until_s);
            if (std::binary_search(taken.begin(), taken.end(), cellOf(start.position_m / dx))) continue;
            if (isInside(start.position_m, bodies)) continue;
            seeds.slabs[0].push_back(birth.seed);
            starts.push_back(start);
            ids.push_back(numbers.of(source.region, birth.seed.number));
        }
        Particles born =
            particlesAt(region, static_cast<int>(source.region), m_scene.solver, seeds, all.varied_strength);
        for (std::size_t p = 0; p < born.size(); ++p) {
            setPosition(born, p, starts[p].position_m / dx);
            for (int a = 0; a < 3; ++a) born.velocity[a][p] = static_cast<float>(starts[p].velocity_m_s[a]);
        }
        born.id = std::move(ids);
        appendAll(born, all);
    }
    startTransfer(m_scene, all);
    return all;
}

}  // namespace firn
