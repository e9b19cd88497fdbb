#include "common/snow/region.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <span>

#include "common/body/motion.h"
#include "common/body/surface_file.h"
#include "common/body/text_input.h"
#include "common/error.h"
#include "common/snow/noise.h"
#include "common/snow/point_tile.h"
#include "common/snow/region_part.h"
#include "common/snow/seams.h"

namespace firn {

namespace {

Pose turnAbout(const Vec3d& center, const Quatd& rotation) { return {rotation, center - rotation * center}; }

/// The ground of a layer. Throws Error(Usage) if there is none below its outline.
std::shared_ptr<const GroundHeight> groundOf(const Scene& scene, const SnowRegion& spec)
{
    constexpr double mostNodes = 1 << 28;
    const Vec3d cells = (spec.max - spec.min + Vec3d::Constant(3 * spec.ground_fill_m)) / scene.solver.dx;
    if (cells.x() * cells.z() > mostNodes)
        throw Error(
            ExitCode::Usage,
            scene.file.string() + ": snow region " + quotedName(spec.name) + " measures " +
                sizeText(spec.max - spec.min) + " m" +
                (spec.ground_fill_m > 0 ? " and has ground_fill_m = " + std::to_string(spec.ground_fill_m) : "") +
                ", which is too large for its ground with cells of " + std::to_string(scene.solver.dx) + " m");
    const Body body = makeBody(scene, *std::ranges::find(scene.bodies, spec.ground, &BodySpec::name));
    auto ground = std::make_shared<const GroundHeight>(body, Box3d(spec.min, spec.max), scene.solver.dx,
                                                       spec.ground_slope_deg, spec.ground_fill_m);
    if (!ground->isEmpty()) return ground;
    Box3d bounds;
    for (const auto& piece : body.pieces) bounds.extend(piece->bounds(0, 0));
    char text[200];
    std::snprintf(text, sizeof text,
                  ", has an upper surface between its min and max; the body is at x %.3g to %.3g, z %.3g to %.3g m",
                  bounds.min().x(), bounds.max().x(), bounds.min().z(), bounds.max().z());
    throw Error(ExitCode::Usage, scene.file.string() + ": snow region " + quotedName(spec.name) +
                                     ": no part of its ground, body " + quotedName(spec.ground) + text);
}

}  // namespace

Region::Region(const Scene& scene, const SnowRegion& spec)
    : m_spec(spec), m_seams(carriedBy(scene.solver.dx, spec.seams))
{
    const double dx = scene.solver.dx;
    if (isPart(spec)) m_part = std::make_shared<const RegionPart>(spec);
    if (!spec.ground.empty()) {
        m_ground = groundOf(scene, spec);
        m_thinnest_m = std::min(dx, 0.5 * spec.depth_m);
    }
    if (spec.shape == SnowShape::Box)
        m_turn = turnAbout((spec.min + spec.max) / 2, rotationFromEuler(spec.rotation_deg));
    if (spec.shape == SnowShape::Mesh || spec.shape == SnowShape::Vdb)
        m_shape = shapeFromFile({.file = spec.file,
                                 .is_vdb = spec.shape == SnowShape::Vdb,
                                 .scale = spec.scale,
                                 .up_axis = spec.up_axis,
                                 .pivot = spec.pivot,
                                 .rotation_deg = spec.rotation_deg,
                                 .least_voxel_m = dx / 2,
                                 .band_m = std::max(spec.crust.depth_m, spec.top_only_m),
                                 .source = fileSource("snow region", spec.name, spec.file_place, spec.file)});
}

Box3d Region::bounds() const
{
    switch (m_spec.shape) {
        case SnowShape::Box:
            return boundsAt(m_turn, Box3d(m_spec.min, m_spec.max));
        case SnowShape::Sphere:
            return {m_spec.center - Vec3d::Constant(m_spec.radius_m), m_spec.center + Vec3d::Constant(m_spec.radius_m)};
        case SnowShape::Layer: {
            const double low = m_ground ? m_ground->lowest_m() : m_spec.min.y();
            const double high = m_ground ? m_ground->highest_m() : m_spec.min.y();
            return {Vec3d(m_spec.min.x(), low, m_spec.min.z()),
                    Vec3d(m_spec.max.x(), high + m_spec.depth_m + std::abs(m_spec.roughness_m), m_spec.max.z())};
        }
        default:
            return Box3d(m_shape->bounds()).translate(m_spec.position);
    }
}

double Region::depth(const Vec3d& x) const
{
    const double depth = depthInShape(x);
    return m_part && depth >= 0 && !m_part->contains(x, depth) ? -1 : depth;
}

double Region::depthInShape(const Vec3d& x) const
{
    switch (m_spec.shape) {
        case SnowShape::Box: {
            const Vec3d point = m_turn.toLocal(x);
            return Box3d(m_spec.min, m_spec.max).contains(point) ? m_spec.max.y() - point.y() : -1;
        }
        case SnowShape::Sphere:
            return m_spec.radius_m - (x - m_spec.center).norm();
        case SnowShape::Layer:
            return layerDepth(x);
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

double Region::strength(const Vec3d& x, double depth_m) const
{
    double factor = seamStrength(m_seams, x);
    if (m_spec.noise.strength != 0)
        factor *= std::exp(m_spec.noise.strength * gradientNoise(m_spec.noise.seed + 2, x / m_spec.noise.scale_m));
    return depth_m < m_spec.crust.depth_m ? factor * m_spec.crust.strength : factor;
}

double Region::layerDepth(const Vec3d& x) const
{
    const bool isOver =
        x.x() >= m_spec.min.x() && x.x() <= m_spec.max.x() && x.z() >= m_spec.min.z() && x.z() <= m_spec.max.z();
    GroundHeight::Ground ground{m_spec.min.y(), 0, 1};
    if (!isOver || (m_ground && !m_ground->at(x.x(), x.z(), ground)) || x.y() < ground.height_m) return -1;
    const double thickness = ground.share * (m_spec.depth_m + ground.rise_m);
    if (thickness < m_thinnest_m) return -1;
    const double flatTop = ground.height_m + thickness;
    if (m_spec.roughness_m == 0) return flatTop - x.y();
    const double noise = gradientNoise(m_spec.seed, Vec3d(x.x(), 0, x.z()) / m_spec.roughness_scale_m);
    return flatTop + ground.share * m_spec.roughness_m * noise - x.y();
}

std::vector<Region> regionsOf(const Scene& scene)
{
    std::vector<Region> regions;
    regions.reserve(scene.snow.size());
    for (const SnowRegion& spec : scene.snow) regions.emplace_back(scene, spec);
    return regions;
}

std::size_t Seeds::count() const
{
    return std::accumulate(slabs.begin(), slabs.end(), std::size_t{0},
                           [](std::size_t sum, const auto& slab) { return sum + slab.size(); });
}

SeedCells cellsOf(const Region& region, double dx)
{
    return {(region.bounds().min() / dx).array().floor().cast<int>(),
            (region.bounds().max() / dx).array().floor().cast<int>(),
            {}};
}

PlaceLattice::PlaceLattice(const SeedCells& cells, int perCell)
    : m_low(cells.low), m_width(cells.high - cells.low + Vec3i::Ones()), m_perCell(perCell)
{
}

std::uint64_t PlaceLattice::count() const
{
    std::uint64_t count = static_cast<std::uint64_t>(m_perCell);
    for (int a = 0; a < 3; ++a) count *= static_cast<std::uint64_t>(m_width[a]);
    return count;
}

std::uint64_t PlaceLattice::number(const Vec3i& cell, int point) const
{
    const Vec3i at = cell - m_low;
    std::uint64_t number = static_cast<std::uint64_t>(at.x());
    for (const int a : {1, 2})
        number = number * static_cast<std::uint64_t>(m_width[a]) + static_cast<std::uint64_t>(at[a]);
    return number * static_cast<std::uint64_t>(m_perCell) + static_cast<std::uint64_t>(point);
}

PlaceLattice::Place PlaceLattice::place(std::uint64_t number) const
{
    Place place{m_low, static_cast<int>(number % static_cast<std::uint64_t>(m_perCell))};
    number /= static_cast<std::uint64_t>(m_perCell);
    for (const int a : {2, 1, 0}) {
        const auto width = static_cast<std::uint64_t>(m_width[a]);
        place.cell[a] += static_cast<int>(a == 0 ? number : number % width);
        number /= width;
    }
    return place;
}

Vec3d placeOf(const PlaceLattice& lattice, const SnowRegion& spec, std::uint64_t number)
{
    const PlaceLattice::Place place = lattice.place(number);
    const Vec3f* points = pointTile(spec.particles_per_cell).points(place.cell + tileOffset(spec.seed));
    return place.cell.cast<double>() + points[place.point].cast<double>();
}

namespace {

/// Of all pieces at time 0.
std::vector<Box3d> boundsOf(const std::vector<Body>& bodies)
{
    std::vector<Box3d> bounds;
    for (const Body& body : bodies)
        for (const auto& piece : body.pieces) bounds.push_back(piece->bounds(0, 0));
    return bounds;
}

/// Around the cells from one to another; places of seeds may lie on its faces.
Box3d cellBox(const Vec3i& low, const Vec3i& high, double dx)
{
    const Vec3d margin = Vec3d::Constant(1e-3);  // cells
    return {dx * (low.cast<double>() - margin), dx * ((high + Vec3i::Ones()).cast<double>() + margin)};
}

/// The numbers of the boxes that meet this box.
std::vector<std::size_t> boxesNear(const std::vector<Box3d>& boxes, const Box3d& box,
                                   std::span<const std::size_t> among)
{
    std::vector<std::size_t> near;
    for (const std::size_t i : among)
        if (boxes[i].intersects(box)) near.push_back(i);
    return near;
}

}  // namespace

std::uint64_t placesIn(const Region& region, double dx)
{
    return PlaceLattice(cellsOf(region, dx), region.spec().particles_per_cell).count();
}

Seeds seedsOf(const std::vector<Region>& regions, std::size_t which, double dx, const std::vector<Body>& bodies)
{
    return seedsOf(regions, which, dx, bodies, cellsOf(regions[which], dx));
}

Seeds seedsOf(const std::vector<Region>& regions, std::size_t which, double dx, const std::vector<Body>& bodies,
              const SeedCells& part)
{
    const Region& region = regions[which];
    const SeedCells whole = cellsOf(region, dx);
    const Vec3i first = part.low.cwiseMax(whole.low), last = part.high.cwiseMin(whole.high);
    const PlaceLattice lattice(whole, region.spec().particles_per_cell);
    const auto pieces = placeAll(bodies, 0, 0);
    constexpr int rowPart = 16;  // cells
    const std::vector<Box3d> bounds = boundsOf(bodies);
    std::vector<std::size_t> allPieces(bounds.size());
    std::iota(allPieces.begin(), allPieces.end(), 0);
    const int perCell = region.spec().particles_per_cell;
    const PointTile& tile = pointTile(perCell);
    const Vec3i offset = tileOffset(region.spec().seed);
    Seeds seeds;
    seeds.slabs.resize(static_cast<std::size_t>(std::max(0, last.x() - first.x() + 1)));
    std::vector<std::size_t> bodyOf;  // a piece
    for (std::size_t b = 0; b < bodies.size(); ++b) bodyOf.insert(bodyOf.end(), bodies[b].pieces.size(), b);
    std::vector<std::atomic<std::size_t>> taken(which), inside(bodies.size());
    const auto count = [](std::atomic<std::size_t>& places) { places.fetch_add(1, std::memory_order_relaxed); };
    const auto consider = [&](const Vec3d& point, std::uint64_t number, std::span<const std::size_t> near,
                              std::vector<Seed>& slab) {
        const Vec3d world = point * dx;
        const double depth = region.depth(world);
        if (depth <= 0) return;
        for (const std::size_t p : near)
            if (isInside(*pieces[p], world)) return count(inside[bodyOf[p]]);
        for (std::size_t earlier = 0; earlier < which && !region.spec().source.isThere(); ++earlier)
            if (!regions[earlier].spec().source.isThere() && regions[earlier].depth(world) > 0)
                return count(taken[earlier]);
        slab.push_back({point, depth, number});
    };
    tbb::parallel_for(std::size_t{0}, seeds.slabs.size(), [&](std::size_t slab) {
        const int x = first.x() + static_cast<int>(slab);
        const Box3d slabBox = cellBox({x, first.y(), first.z()}, {x, last.y(), last.z()}, dx);
        const std::vector<std::size_t> inSlab = boxesNear(bounds, slabBox, allPieces);
        for (int y = first.y(); y <= last.y(); ++y) {
            std::vector<std::size_t> near;
            for (int z = first.z(); z <= last.z(); ++z) {
                const Vec3i cell(x, y, z);
                if ((z - first.z()) % rowPart == 0)
                    near = boxesNear(bounds, cellBox(cell, {x, y, z + rowPart - 1}, dx), inSlab);
                if (part.wanted && !part.wanted(cell)) continue;
                const Vec3f* points = tile.points(cell + offset);
                for (int i = 0; i < perCell; ++i)
                    consider(cell.cast<double>() + points[i].cast<double>(), lattice.number(cell, i), near,
                             seeds.slabs[slab]);
            }
        }
    });
    seeds.in_earlier.assign(taken.begin(), taken.end());
    seeds.in_bodies.assign(inside.begin(), inside.end());
    return seeds;
}

}  // namespace firn
