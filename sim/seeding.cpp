#include "sim/seeding.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "common/body/level_set.h"
#include "common/body/mesh_file.h"
#include "common/error.h"
#include "sim/noise.h"
#include "sim/parallel.h"

namespace firn {

namespace {

/// A snow region ready for questions about points.
class Region {
public:
    Region(const SnowRegion& spec, double dx) : m_spec(spec)
    {
        if (spec.shape == SnowShape::Mesh)
            m_shape = shapeFromMesh(loadMesh(spec.file, spec.scale, UpAxis::Y), dx / 2);
        else if (spec.shape == SnowShape::Vdb)
            m_shape = shapeFromVdb(spec.file, spec.scale);
    }

    Box3d bounds() const
    {
        switch (m_spec.shape) {
            case SnowShape::Box:
                return {m_spec.min, m_spec.max};
            case SnowShape::Sphere:
                return {m_spec.center - Vec3d::Constant(m_spec.radius_m),
                        m_spec.center + Vec3d::Constant(m_spec.radius_m)};
            case SnowShape::Layer: {
                const Vec3d top(m_spec.max.x(), m_spec.min.y() + m_spec.depth_m + std::abs(m_spec.roughness_m),
                                m_spec.max.z());
                return {m_spec.min, top};
            }
            default:
                return Box3d(m_shape->bounds()).translate(m_spec.position);
        }
    }

    /// Depth below the region's upper surface, m; negative outside.
    double depth(const Vec3d& x) const
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

    const SnowRegion& spec() const { return m_spec; }

private:
    double layerTop(const Vec3d& x) const
    {
        const double top = m_spec.min.y() + m_spec.depth_m;
        if (m_spec.roughness_m == 0) return top;
        return top + m_spec.roughness_m * gradientNoise(m_spec.seed, Vec3d(x.x(), 0, x.z()) / m_spec.roughness_scale_m);
    }

    const SnowRegion& m_spec;
    std::shared_ptr<const Shape> m_shape;
};

bool insideBody(const std::vector<Body>& bodies, double time_s, const Vec3d& x)
{
    for (const Body& body : bodies)
        for (const BodyPiece& piece : body.pieces) {
            const Vec3d local = piece.motion->pose(time_s).toLocal(x);
            Vec3d gradient;
            if (piece.shape->bounds().contains(local) && piece.shape->distance(local, gradient) < 0) return true;
        }
    return false;
}

/// The strata of a cell: with k^3 >= n, particle i of n stands in its own of the k^3 subcells, chosen anew per cell.
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
            result.push_back((cell.cast<double>() +
                              (Vec3d(s % m_edge, s / m_edge % m_edge, s / m_edge / m_edge) + jitter) / m_edge));
        }
        return result;
    }

private:
    int m_count, m_edge;
};

/// One particle's worth of a region at a point; x in units of dx.
void append(const Region& region, int material, const Vec3d& x, double depth, double dx, Particles& to)
{
    const SnowRegion& spec = region.spec();
    const Vec3d world = x * dx;
    double stiffness = 1, density = spec.material.density_kg_m3;
    if (spec.noise.stiffness != 0 || spec.noise.density != 0) {
        stiffness *= std::exp(spec.noise.stiffness * gradientNoise(spec.noise.seed, world / spec.noise.scale_m));
        density *= std::exp(spec.noise.density * gradientNoise(spec.noise.seed + 1, world / spec.noise.scale_m));
    }
    if (depth < spec.crust.depth_m) {
        stiffness *= spec.crust.stiffness;
        density *= spec.crust.density;
    }
    const Vec3d velocity = spec.velocity + spec.spin_rad_s.cross(world - region.bounds().center());
    for (int a = 0; a < 3; ++a) {
        const double cell = std::floor(x[a]);
        const float offset = static_cast<float>(x[a] - cell);
        to.cell[a].push_back(static_cast<std::int32_t>(cell) + (offset >= 1));
        to.offset[a].push_back(offset >= 1 ? 0.f : offset);
        to.velocity[a].push_back(static_cast<float>(velocity[a]));
    }
    for (int e = 0; e < 9; ++e) to.F_E[e].push_back(e % 4 == 0 ? 1.f : 0.f);
    const double volume = dx * dx * dx / spec.particles_per_cell;
    to.J_P.push_back(1);
    to.mass.push_back(static_cast<float>(density * volume));
    to.volume0.push_back(static_cast<float>(volume));
    to.stiffness.push_back(static_cast<float>(stiffness));
    to.id.push_back(0);
    to.material.push_back(static_cast<std::uint8_t>(material));
    for (auto& anchor : to.anchor) anchor.push_back(0);
    to.state.push_back(0);
}

Particles seedRegion(const std::vector<Region>& regions, std::size_t which, const Scene& scene,
                     const std::vector<Body>& bodies)
{
    const Region& region = regions[which];
    const double dx = scene.solver.dx;
    const Vec3i first = (region.bounds().min() / dx).array().floor().cast<int>();
    const Vec3i last = (region.bounds().max() / dx).array().floor().cast<int>();
    const Strata strata(region.spec().particles_per_cell);
    std::vector<Particles> slabs(static_cast<std::size_t>(last.x() - first.x() + 1));
    parallelFor(slabs.size(), [&](std::size_t slab) {
        const int x = first.x() + static_cast<int>(slab);
        for (int y = first.y(); y <= last.y(); ++y)
            for (int z = first.z(); z <= last.z(); ++z)
                for (const Vec3d& point : strata.points(region.spec().seed, Vec3i(x, y, z))) {
                    const Vec3d world = point * dx;
                    const double depth = region.depth(world);
                    if (depth <= 0 || insideBody(bodies, 0, world)) continue;
                    const auto taken = [&](const Region& earlier) { return earlier.depth(world) > 0; };
                    if (std::any_of(regions.begin(), regions.begin() + static_cast<std::ptrdiff_t>(which), taken))
                        continue;
                    append(region, static_cast<int>(which), point, depth, dx, slabs[slab]);
                }
    });
    Particles result;
    for (const Particles& slab : slabs) appendAll(slab, result);
    return result;
}

/// APIC's C of regions that start with a spin: the matrix of omega x.
void startAffine(const Scene& scene, Particles& particles)
{
    particles.affine = true;
    particles.resize(particles.size());
    for (std::size_t p = 0; p < particles.size(); ++p) {
        const Vec3f spin = scene.snow[particles.material[p]].spin_rad_s.cast<float>();
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            particles.C[3 * c + b][p] = spin[a];
            particles.C[3 * b + c][p] = -spin[a];
        }
    }
}

std::vector<Region> regionsOf(const Scene& scene)
{
    std::vector<Region> regions;
    regions.reserve(scene.snow.size());
    for (const SnowRegion& spec : scene.snow) regions.emplace_back(spec, scene.solver.dx);
    return regions;
}

}  // namespace

Particles seed(const Scene& scene, const std::vector<Body>& bodies)
{
    const std::vector<Region> regions = regionsOf(scene);
    Particles all;
    for (std::size_t r = 0; r < regions.size(); ++r) {
        const Particles part = seedRegion(regions, r, scene, bodies);
        if (part.size() == 0)
            throw Error(
                ExitCode::Usage,
                scene.file.string() + ": snow region '" + scene.snow[r].name +
                    "' holds no particle: it is smaller than a cell, inside a body or covered by an earlier region");
        appendAll(part, all);
    }
    for (std::size_t p = 0; p < all.size(); ++p) all.id[p] = static_cast<std::uint32_t>(p);
    if (scene.solver.transfer == Transfer::Apic) startAffine(scene, all);
    Particles::forEachColumn(all, [](const std::string&, auto& column) { column.shrink_to_fit(); });
    return all;
}

std::size_t countParticles(const Scene& scene)
{
    const std::vector<Region> regions = regionsOf(scene);
    std::size_t count = 0;
    for (std::size_t r = 0; r < regions.size(); ++r) count += seedRegion(regions, r, scene, {}).size();
    return count;
}

}  // namespace firn
