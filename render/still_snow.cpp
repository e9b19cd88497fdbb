#include "render/still_snow.h"

#include "common/snow/region.h"

namespace firn {

namespace {

void addRegion(const Region& region, std::uint8_t material, const Seeds& seeds, double dx, SnowParticles& to)
{
    const double volume = dx * dx * dx / region.spec().particles_per_cell;
    for (const auto& slab : seeds.slabs)
        for (const Seed& seed : slab) {
            const Vec3d x = seed.x * dx;
            to.position_m.push_back(x);
            to.mass_kg.push_back(static_cast<float>(region.density(x, seed.depth_m) * volume));
            to.volume0_m3.push_back(static_cast<float>(volume));
            to.material.push_back(material);
        }
}

}  // namespace

SnowParticles stillSnow(const Scene& scene, const std::vector<Body>& bodies)
{
    SnowParticles result;
    const std::vector<Region> regions = regionsOf(scene);
    const double dx = scene.solver.dx;
    for (std::size_t r = 0; r < regions.size(); ++r) {
        if (regions[r].spec().still)
            addRegion(regions[r], static_cast<std::uint8_t>(r), seedsOf(regions, r, dx, bodies), dx, result);
    }
    const std::size_t count = result.size();
    result.stretch.assign(count, 1);
    result.id.resize(count);  // those of simulated particles are counted from 0 upwards
    for (std::size_t i = 0; i < count; ++i) result.id[i] = ~static_cast<std::uint32_t>(i);
    return result;
}

}  // namespace firn
