#include "sim/seeding.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <tuple>

#include "common/error.h"
#include "common/io/freed_memory.h"
#include "common/scene/region_thickness.h"
#include "common/snow/region.h"
#include "common/snow/region_part.h"
#include "common/snow/seams.h"
#include "common/snow/stream.h"
#include "sim/parallel.h"
#include "sim/transfer.h"

namespace firn {

namespace {

/// Whether a region lies on its ground when the shot starts, and carries its own weight.
bool liesAtRest(const SnowRegion& spec)
{
    return spec.shape == SnowShape::Layer && spec.velocity.isZero(0) && spec.spin_rad_s.isZero(0);
}

/// Weight per area of the snow above a point of a layer, Pa.
double overburden(const SnowRegion& spec, double depth_m, double gravity)
{
    const double inCrust = std::min(depth_m, spec.crust.depth_m);
    return spec.material.density_kg_m3 * gravity * (inCrust * spec.crust.density + depth_m - inCrust);
}

/// The vertical elastic stretch s of snow that cannot give way sideways and carries a pressure: with M = lambda + 2 mu,
/// M (s - 1) s = -pressure (from eq. 1 of Stomakhin et al. 2013). Close to the yield strain it carries no more.
double stretchUnder(double pressure_pa, const SnowMaterial& material, double factor)
{
    const double nu = material.poisson_ratio;
    const double modulus = factor * material.youngs_modulus_pa * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
    const double least = 1 - 0.9 * material.critical_compression;
    return std::max(least, 0.5 * (1 + std::sqrt(std::max(0.0, 1 - 4 * pressure_pa / modulus))));
}

/// One particle's worth of a region at a point. `gravity` is the acceleration downwards, m/s^2.
void append(const Region& region, int material, const Seed& seed, double dx, double gravity, Particles& to)
{
    const SnowRegion& spec = region.spec();
    const Vec3d world = seed.x * dx;
    for (int a = 0; a < 3; ++a) {
        to.cell[a].push_back(0);
        to.offset[a].push_back(0);
        to.velocity[a].push_back(static_cast<float>(spec.velocity[a]));
    }
    for (int e = 0; e < 9; ++e) to.F_E[e].push_back(e % 4 == 0 ? 1.f : 0.f);
    const double volume = dx * dx * dx / spec.particles_per_cell;
    to.J_P.push_back(1);
    to.mass.push_back(static_cast<float>(region.density(world, seed.depth_m) * volume));
    to.volume0.push_back(static_cast<float>(volume));
    const double stiffness = region.stiffness(world, seed.depth_m);
    to.modulus_factor.push_back(static_cast<float>(stiffness));
    setPosition(to, to.cell[0].size() - 1, seed.x);
    const Vec3f carried = region.groundVelocity(world).cast<float>();
    for (int a = 0; a < 3; ++a) to.velocity[a].back() += carried[a];
    if (liesAtRest(spec) && gravity > 0)
        to.F_E[4].back() =
            static_cast<float>(stretchUnder(overburden(spec, seed.depth_m, gravity), spec.material, stiffness));
    if (to.varied_strength) to.strength.push_back(static_cast<float>(region.strength(world, seed.depth_m)));
    to.id.push_back(0);
    to.material.push_back(static_cast<std::uint8_t>(material));
}

/// Adds the rotation about the centre of mass, so that it gives no momentum.
void addSpin(const Vec3d& spin, double dx, Particles& particles)
{
    double mass = 0;
    Vec3d center = Vec3d::Zero();
    for (std::size_t p = 0; p < particles.size(); ++p) {
        mass += static_cast<double>(particles.mass[p]);
        center += static_cast<double>(particles.mass[p]) * position(particles, p, dx);
    }
    center /= mass;
    for (std::size_t p = 0; p < particles.size(); ++p) {
        const Vec3d velocity = spin.cross(position(particles, p, dx) - center);
        for (int a = 0; a < 3; ++a) particles.velocity[a][p] += static_cast<float>(velocity[a]);
    }
}

std::size_t placesInBodies(const Seeds& seeds)
{
    return std::accumulate(seeds.in_bodies.begin(), seeds.in_bodies.end(), std::size_t{0});
}

/// The body that holds most of the region's places.
std::string worstBody(const Seeds& seeds, const std::vector<Body>& bodies)
{
    const auto most = std::max_element(seeds.in_bodies.begin(), seeds.in_bodies.end());
    return quotedName(bodies[static_cast<std::size_t>(most - seeds.in_bodies.begin())].name);
}

double thickness(const Region& region)
{
    const SnowRegion& spec = region.spec();
    double least = region.bounds().sizes().minCoeff();
    if (spec.shape == SnowShape::Layer) least = std::min(least, spec.depth_m);
    return spec.top_only_m > 0 ? std::min(least, spec.top_only_m) : least;
}

void remarkOnSeams(const Region& region, std::vector<std::string>& remarks)
{
    const SnowSeams &asked = region.spec().seams, &used = region.seams();
    if (used.size_m == asked.size_m && used.width_m == asked.width_m) return;
    char text[200];
    std::snprintf(
        text, sizeof text,
        ": the grid cannot carry seams of size %.3g m and width %.3g m; size %.3g m and width %.3g m are used. "
        "Use a smaller solver.dx for finer chunks",
        asked.size_m, asked.width_m, used.size_m, used.width_m);
    remarks.push_back("snow region " + quotedName(region.spec().name) + text);
}

/// Patches that hardly any picture can show.
void remarkOnPatches(const Region& region, double dx, std::vector<std::string>& remarks)
{
    const SnowPatches& patches = region.spec().patches;
    if (patches.share == 1) return;
    const Vec3d size = region.bounds().sizes();
    const std::string what = "snow region " + quotedName(region.spec().name) + ": its [snow.patches] are ";
    if (patches.size_m < dx)
        remarks.push_back(what + "smaller than a cell (solver.dx), so the kinds of snow mix in every cell");
    if (patches.size_m > std::max(size.x(), size.z()))
        remarks.push_back(what + "larger than the region, so it may be whole, or have no snow");
}

/// Values that change nothing.
void remarkOnEffects(const SnowRegion& spec, const Solver& solver, std::vector<std::string>& remarks)
{
    const SnowCrust& crust = spec.crust;
    const std::string name = "snow region " + quotedName(spec.name) + ": ";
    if (spec.material.adhesion_pa > 0 && solver.contact == ContactMethod::Nodes)
        remarks.push_back(name + "adhesion_pa has no effect with solver.contact = \"nodes\"");
    if (crust.depth_m == 0 && std::tie(crust.stiffness, crust.density, crust.strength) !=
                                  std::tuple(SnowCrust().stiffness, SnowCrust().density, SnowCrust().strength))
        remarks.push_back(name + "[snow.crust] has no effect, because its depth_m is 0");
    if (crust.depth_m >= thicknessOf(spec))
        remarks.push_back(name + "all of it is crust, because it is not thicker than the crust's depth_m");
}

void remarkOn(const std::vector<Region>& regions, std::size_t which, const Seeds& seeds, const Solver& solver,
              const std::vector<Body>& bodies, std::vector<std::string>& remarks)
{
    constexpr std::size_t few = 100;
    constexpr double many = 0.1;
    const double dx = solver.dx;
    const Region& region = regions[which];
    const std::string name = "snow region " + quotedName(region.spec().name);
    const std::size_t count = seeds.count(), inside = placesInBodies(seeds);
    for (std::size_t earlier = 0; earlier < which; ++earlier)
        if (const std::size_t dropped = seeds.in_earlier[earlier]; dropped > 0 && !isPart(regions[earlier].spec()))
            remarks.push_back(name + " overlaps " + quotedName(regions[earlier].spec().name) + ": " +
                              std::to_string(dropped) + " of its particles were dropped there, because " +
                              quotedName(regions[earlier].spec().name) + " comes first in the scene");
    if (static_cast<double>(inside) > many * static_cast<double>(count + inside))
        remarks.push_back(name + " is partly inside bodies, most of it in " + worstBody(seeds, bodies) + ": " +
                          std::to_string(inside) + " of its " + std::to_string(count + inside) +
                          " particles were dropped" +
                          (region.spec().shape == SnowShape::Layer && region.spec().ground.empty()
                               ? ". A layer lies on a body with ground = \"its name\""
                               : ""));
    remarkOnSeams(region, remarks);
    remarkOnPatches(region, dx, remarks);
    remarkOnEffects(region.spec(), solver, remarks);
    if (count < few)
        remarks.push_back(name + " has only " + std::to_string(count) + (count == 1 ? " particle" : " particles") +
                          "; its bounds are " + sizeText(region.bounds().sizes() / dx) +
                          " cells. Use a smaller solver.dx or a larger region");
    else if (const double cells = thickness(region) / dx; cells < 1) {
        char text[120];
        std::snprintf(text, sizeof text, " is %.2g cells thick; the grid cannot resolve it. Use a smaller solver.dx",
                      cells);
        remarks.push_back(name + text);
    }
}

[[noreturn]] void refuseEmpty(const Scene& scene, const std::vector<Region>& regions, std::size_t which,
                              const Seeds& seeds, const std::vector<Body>& bodies)
{
    const Vec3d size = regions[which].bounds().sizes();
    std::string why = "its bounds of " + sizeText(size) + " m are too small for cells of " +
                      std::to_string(scene.solver.dx) + " m; lengths are in metres";
    const std::size_t inBodies = placesInBodies(seeds);
    const auto most = std::ranges::max_element(seeds.in_earlier);
    const bool isCovered = most != seeds.in_earlier.end() && *most > 0;
    const std::string inside = inBodies > 0 ? "inside body " + worstBody(seeds, bodies) : "";
    if (isCovered)
        why = (inBodies > 0 ? "it is partly " + inside + ", and the rest is covered by " : "it is covered by ") +
              quotedName(regions[static_cast<std::size_t>(most - seeds.in_earlier.begin())].spec().name) +
              ", which comes first in the scene";
    else if (inBodies > 0)
        why = "it is " + inside;
    else if (isPart(regions[which].spec()))
        why = "its mask, patches or top_only_m leave none";
    throw Error(ExitCode::Usage, scene.file.string() + ": snow region " + quotedName(regions[which].spec().name) +
                                     " holds no particle: " + why);
}

}  // namespace

Particles particlesAt(const Region& region, int material, const Solver& solver, Seeds& from, bool variedStrength)
{
    const double dx = solver.dx;
    std::vector<std::vector<Seed>>& seeds = from.slabs;
    Particles result;
    result.varied_strength = variedStrength;
    std::vector<Particles> slabs(seeds.size(), result);
    parallelFor(slabs.size(), [&](std::size_t slab) {
        Particles::forEachColumn(slabs[slab],
                                 [&](const std::string&, auto& column) { column.reserve(seeds[slab].size()); });
        for (const Seed& seed : seeds[slab]) append(region, material, seed, dx, -solver.gravity.y(), slabs[slab]);
        seeds[slab] = {};
    });
    std::size_t count = 0;
    for (const Particles& slab : slabs) count += slab.size();
    Particles::forEachColumn(result, [&](const std::string&, auto& column) { column.reserve(count); });
    for (Particles& slab : slabs) {
        appendAll(slab, result);
        slab = Particles();
    }
    if (count > 0 && !region.spec().spin_rad_s.isZero(0)) addSpin(region.spec().spin_rad_s, dx, result);
    return result;
}

void startTransfer(const Scene& scene, Particles& particles)
{
    keepColumnsFor(scene, particles);
    particles.resize(particles.size());
    if (particles.has_travel) particles.travel = particles.velocity;
    if (!particles.affine) return;
    for (std::size_t p = 0; p < particles.size(); ++p) {
        const Vec3f spin = scene.snow[particles.material[p]].spin_rad_s.cast<float>();
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            particles.C[3 * c + b][p] = spin[a];
            particles.C[3 * b + c][p] = -spin[a];
        }
    }
}

Particles seed(const Scene& scene, const std::vector<Body>& bodies, const MovingWindow& window,
               std::vector<std::string>& remarks)
{
    const std::vector<Region> regions = regionsOf(scene);
    const double dx = scene.solver.dx;
    Particles all;
    all.varied_strength = hasVariedStrength(scene);
    for (std::size_t r = 0; r < regions.size(); ++r) {
        if (regions[r].spec().still || regions[r].spec().source.isThere()) continue;
        if (window.covers(regions[r].spec())) {
            remarkOnSeams(regions[r], remarks);
            continue;
        }
        Seeds seeds = seedsOf(regions, r, dx, bodies);
        if (seeds.count() == 0) refuseEmpty(scene, regions, r, seeds, bodies);
        remarkOn(regions, r, seeds, scene.solver, bodies, remarks);
        Particles part = particlesAt(regions[r], static_cast<int>(r), scene.solver, seeds, all.varied_strength);
        if (all.size() == 0)
            all = std::move(part);
        else
            appendAll(part, all);
    }
    for (std::size_t p = 0; p < all.size(); ++p) all.id[p] = static_cast<std::uint32_t>(p);
    startTransfer(scene, all);
    Particles::forEachColumn(all, [](const std::string&, auto& column) { column.shrink_to_fit(); });
    returnFreedBlocks();
    return all;
}

double lightestMass(const Scene& scene)
{
    double lightest = std::numeric_limits<double>::max();
    for (const SnowRegion& region : scene.snow) {
        const double dx = scene.solver.dx, volume = dx * dx * dx / region.particles_per_cell;
        const double density = region.material.density_kg_m3 * std::min(1.0, region.crust.density);
        lightest = std::min(lightest, density * std::exp(-std::abs(region.noise.density)) * volume);
    }
    return lightest;
}

std::size_t countFromSource(const Scene& scene, std::size_t region)
{
    const std::vector<Region> regions = regionsOf(scene);
    const SnowSource& source = regions[region].spec().source;
    const double end_s = scene.timeOfFrame(scene.end_frame);
    if (source.start_s > end_s) return 0;
    if (source.length_s == 0) return seedsOf(regions, region, scene.solver.dx, {}).count();
    const double flows_s = std::min(end_s - source.start_s, source.length_s);
    return static_cast<std::size_t>(SnowStream(scene, regions[region]).perSecond() * flows_s);
}

std::size_t countParticles(const Scene& scene)
{
    const std::vector<Region> regions = regionsOf(scene);
    std::size_t count = 0;
    for (std::size_t r = 0; r < regions.size(); ++r) {
        if (regions[r].spec().still) continue;
        count += regions[r].spec().source.isThere() ? countFromSource(scene, r)
                                                    : seedsOf(regions, r, scene.solver.dx, {}).count();
    }
    return count;
}

}  // namespace firn
