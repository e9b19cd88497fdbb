#include "common/snow/region.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "common/body/level_set.h"
#include "common/body/mesh_file.h"
#include "common/snow/noise.h"

namespace firn {

Region::Region(const SnowRegion& spec, double dx) : m_spec(spec)
{
    if (spec.shape == SnowShape::Mesh)
        m_shape = shapeFromMesh(loadMesh(spec.file, spec.scale, UpAxis::Y), dx / 2);
    else if (spec.shape == SnowShape::Vdb)
        m_shape = shapeFromVdb(spec.file, spec.scale);
}

Box3d Region::bounds() const
{
    switch (m_spec.shape) {
        case SnowShape::Box:
            return {m_spec.min, m_spec.max};
        case SnowShape::Sphere:
            return {m_spec.center - Vec3d::Constant(m_spec.radius_m), m_spec.center + Vec3d::Constant(m_spec.radius_m)};
        case SnowShape::Layer: {
            const Vec3d top(m_spec.max.x(), m_spec.min.y() + m_spec.depth_m + std::abs(m_spec.roughness_m),
                            m_spec.max.z());
            return {m_spec.min, top};
        }
        default:
            return Box3d(m_shape->bounds()).translate(m_spec.position);
    }
}

double Region::depth(const Vec3d& x) const
{
    switch (m_spec.shape) {
        case SnowShape::Box:
            return Box3d(m_spec.min, m_spec.max).contains(x) ? m_spec.max.y() - x.y() : -1;
        case SnowShape::Sphere:
            return m_spec.radius_m - (x - m_spec.center).norm();
        case SnowShape::Layer: {
            const bool over = x.x() >= m_spec.min.x() && x.x() <= m_spec.max.x() && x.z() >= m_spec.min.z() &&
                              x.z() <= m_spec.max.z() && x.y() >= m_spec.min.y();
            return over ? layerTop(x) - x.y() : -1;
        }
        default: {
            Vec3d gradient;
            return -m_shape->distance(x - m_spec.position, gradient);
        }
    }
}

double Region::density(const Vec3d& x, double depth_m) const
{
    double density = m_spec.material.density_kg_m3;
    if (m_spec.noise.density != 0)
        density *= std::exp(m_spec.noise.density * gradientNoise(m_spec.noise.seed + 1, x / m_spec.noise.scale_m));
    return depth_m < m_spec.crust.depth_m ? density * m_spec.crust.density : density;
}

double Region::stiffness(const Vec3d& x, double depth_m) const
{
    double factor = 1;
    if (m_spec.noise.stiffness != 0)
        factor *= std::exp(m_spec.noise.stiffness * gradientNoise(m_spec.noise.seed, x / m_spec.noise.scale_m));
    return depth_m < m_spec.crust.depth_m ? factor * m_spec.crust.stiffness : factor;
}

double Region::layerTop(const Vec3d& x) const
{
    const double top = m_spec.min.y() + m_spec.depth_m;
    if (m_spec.roughness_m == 0) return top;
    return top + m_spec.roughness_m * gradientNoise(m_spec.seed, Vec3d(x.x(), 0, x.z()) / m_spec.roughness_scale_m);
}

namespace {

bool isInsideAny(const std::vector<std::unique_ptr<const PlacedPiece>>& pieces, const Vec3d& x)
{
    return std::any_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
        Vec3d normal;
        return piece->mayTouch(x, 0) && piece->distance(x, normal) < 0;
    });
}

/// The strata of a cell: it has k^3 >= n subcells, and each of its n particles lies in a subcell of its own. The choice
/// of subcells differs from cell to cell.
class Strata {
public:
    explicit Strata(int count) : m_count(count), m_edge(static_cast<int>(std::ceil(std::cbrt(count) - 1e-9))) {}

    std::vector<Vec3d> points(int seed, const Vec3i& cell) const
    {
        std::vector<int> subcells(static_cast<std::size_t>(m_edge) * m_edge * m_edge);
        for (std::size_t s = 0; s < subcells.size(); ++s) subcells[s] = static_cast<int>(s);
        std::vector<Vec3d> result;
        for (int i = 0; i < m_count; ++i) {
            const std::size_t left = subcells.size() - static_cast<std::size_t>(i);
            const std::size_t chosen =
                static_cast<std::size_t>(i) +
                static_cast<std::size_t>(uniformAt(seed, cell, 4 * i) * static_cast<double>(left));
            std::swap(subcells[static_cast<std::size_t>(i)], subcells[chosen]);
            const int s = subcells[static_cast<std::size_t>(i)];
            const Vec3d jitter(uniformAt(seed, cell, 4 * i + 1), uniformAt(seed, cell, 4 * i + 2),
                               uniformAt(seed, cell, 4 * i + 3));
            const Vec3i subcell(s % m_edge, s / m_edge % m_edge, s / m_edge / m_edge);
            result.push_back(cell.cast<double>() + (subcell.cast<double>() + jitter) / m_edge);
        }
        return result;
    }

private:
    int m_count, m_edge;
};

}  // namespace

std::vector<Region> regionsOf(const Scene& scene)
{
    std::vector<Region> regions;
    regions.reserve(scene.snow.size());
    for (const SnowRegion& spec : scene.snow) regions.emplace_back(spec, scene.solver.dx);
    return regions;
}

std::vector<std::vector<Seed>> seedSlabs(const std::vector<Region>& regions, std::size_t which, double dx,
                                         const std::vector<Body>& bodies)
{
    const Region& region = regions[which];
    const Vec3i first = (region.bounds().min() / dx).array().floor().cast<int>();
    const Vec3i last = (region.bounds().max() / dx).array().floor().cast<int>();
    const auto pieces = placeAll(bodies, 0, 0);
    const Strata strata(region.spec().particles_per_cell);
    std::vector<std::vector<Seed>> slabs(static_cast<std::size_t>(last.x() - first.x() + 1));
    tbb::parallel_for(std::size_t{0}, slabs.size(), [&](std::size_t slab) {
        const int x = first.x() + static_cast<int>(slab);
        for (int y = first.y(); y <= last.y(); ++y)
            for (int z = first.z(); z <= last.z(); ++z)
                for (const Vec3d& point : strata.points(region.spec().seed, Vec3i(x, y, z))) {
                    const Vec3d world = point * dx;
                    const double depth = region.depth(world);
                    if (depth <= 0 || isInsideAny(pieces, world)) continue;
                    const auto taken = [&](const Region& earlier) { return earlier.depth(world) > 0; };
                    if (std::any_of(regions.begin(), regions.begin() + static_cast<std::ptrdiff_t>(which), taken))
                        continue;
                    slabs[slab].push_back({point, depth});
                }
    });
    return slabs;
}

}  // namespace firn
