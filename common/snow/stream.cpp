#include "common/snow/stream.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "common/body/motion.h"
#include "common/snow/noise.h"
#include "common/snow/point_tile.h"

namespace firn {

namespace {

Vec3i cellOf(const Vec3d& x) { return x.array().floor().cast<int>(); }

/// All cells whose places enter the region until the stream ends.
SeedCells cellsOfStream(const Region& region, double dx, double length_s)
{
    const Box3d mouth = region.bounds(), last = Box3d(mouth).translate(-length_s * region.spec().velocity);
    const Box3d all = mouth.merged(last);
    return {cellOf(all.min() / dx), cellOf(all.max() / dx), {}};
}

double lengthUntil(const SnowRegion& spec, double end_s)
{
    return std::clamp(end_s - spec.source.start_s, 0.0, spec.source.length_s);
}

}  // namespace

bool hasSource(const Scene& scene)
{
    return std::ranges::any_of(scene.snow, [](const SnowRegion& spec) { return spec.source.isThere(); });
}

SnowStream::SnowStream(const Scene& scene, const Region& region)
    : m_region(region),
      m_dx(scene.solver.dx),
      m_start(region.spec().source.start_s),
      m_end(m_start + lengthUntil(region.spec(), scene.timeOfFrame(scene.end_frame))),
      m_tile(tileOffset(region.spec().seed)),
      m_lattice(cellsOfStream(region, m_dx, m_end - m_start), region.spec().particles_per_cell)
{
}

std::vector<SnowStream::Birth> SnowStream::births(double from_s, double until_s) const
{
    constexpr int chance = 1000;  // the first of the random numbers of a cell that decide which places are filled
    from_s = std::max(from_s, m_start);
    until_s = std::min(until_s, m_end);
    if (from_s >= until_s) return {};
    const SnowRegion& spec = m_region.spec();
    const Vec3d before = shift(from_s), now = shift(until_s);
    const Vec3i low = cellOf((m_region.bounds().min() - now) / m_dx),
                high = cellOf((m_region.bounds().max() - now) / m_dx);
    const PointTile& tile = pointTile(spec.particles_per_cell);
    std::vector<std::vector<Birth>> slabs(static_cast<std::size_t>(high.x() - low.x() + 1));
    const auto consider = [&](const Vec3i& cell, int point, std::vector<Birth>& slab) {
        const Vec3d place = cell.cast<double>() + tile.points(cell + m_tile)[point].cast<double>();
        const Vec3d here = m_dx * place + now;
        const double depth = m_region.depth(here);
        if (depth <= 0 || m_region.depth(m_dx * place + before) > 0) return;
        if (spec.source.share < 1 && uniformAt(spec.seed, cell, chance + point) >= spec.source.share) return;
        slab.push_back({{place, depth, m_lattice.number(cell, point)}, here});
    };
    tbb::parallel_for(std::size_t{0}, slabs.size(), [&](std::size_t slab) {
        const int x = low.x() + static_cast<int>(slab);
        for (int y = low.y(); y <= high.y(); ++y)
            for (int z = low.z(); z <= high.z(); ++z)
                for (int point = 0; point < spec.particles_per_cell; ++point) consider({x, y, z}, point, slabs[slab]);
    });
    std::vector<Birth> all;
    for (const auto& slab : slabs) all.insert(all.end(), slab.begin(), slab.end());
    return all;
}

Vec3d SnowStream::place_m(std::uint64_t number) const { return m_dx * placeOf(m_lattice, m_region.spec(), number); }

/// The mouth's area across the stream times its speed is the volume that enters.
double SnowStream::perSecond() const
{
    const SnowRegion& spec = m_region.spec();
    double flow = pi * spec.radius_m * spec.radius_m * spec.velocity.norm();
    if (spec.shape == SnowShape::Box) {
        const Vec3d size = spec.max - spec.min, v = rotationFromEuler(spec.rotation_deg).inverse() * spec.velocity;
        flow = 0;
        for (int a = 0; a < 3; ++a) flow += std::abs(v[a]) * size[(a + 1) % 3] * size[(a + 2) % 3];
    }
    return flow * spec.particles_per_cell * spec.source.share / (m_dx * m_dx * m_dx);
}

}  // namespace firn
