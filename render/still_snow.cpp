#include "render/still_snow.h"

#include <algorithm>

#include "common/snow/moving_window.h"
#include "common/snow/region.h"

namespace firn {

namespace {

void add(const Region& region, std::size_t number, const Seed& seed, double dx, std::uint32_t id, SnowParticles& to)
{
    const double volume = dx * dx * dx / region.spec().particles_per_cell;
    const Vec3d x = seed.x * dx;
    to.position_m.push_back(x);
    to.velocity_m_s.push_back(Vec3f::Zero());
    to.mass_kg.push_back(static_cast<float>(region.density(x, seed.depth_m) * volume));
    to.volume0_m3.push_back(static_cast<float>(volume));
    to.stretch.push_back(1);
    to.id.push_back(id);
    to.material.push_back(static_cast<std::uint8_t>(number));
}

/// Snow collides with these; the solver seeds no snow in them.
std::vector<Body> collidingOf(std::vector<Body> bodies)
{
    std::erase_if(bodies, [](const Body& body) { return !body.collides; });
    return bodies;
}

}  // namespace

StillSnow::StillSnow(const Scene& scene, const std::vector<Body>& bodies)
{
    const MovingWindow window(scene, bodies);
    const PlaceNumbers numbers(scene, window);
    const std::vector<Region> regions = regionsOf(scene);
    const std::vector<Body> colliding = collidingOf(bodies);
    const double dx = scene.solver.dx;
    for (std::size_t r = 0; r < regions.size(); ++r) {
        const bool isStill = regions[r].spec().still;
        if (!isStill && !window.covers(regions[r].spec())) continue;
        const Seeds seeds = seedsOf(regions, r, dx, isStill ? bodies : colliding);
        for (const auto& slab : seeds.slabs)
            for (const Seed& seed : slab) {
                if (isStill) {
                    const auto number = static_cast<std::uint32_t>(numbers.count() + m_always.size());
                    add(regions[r], r, seed, dx, ~number, m_always);
                    continue;
                }
                add(regions[r], r, seed, dx, numbers.of(r, seed.number), m_waiting);
                m_reached.push_back(
                    window.firstFrame(MovingWindow::blockOf(seed.x.array().floor().matrix().cast<int>())));
            }
    }
}

SnowParticles StillSnow::at(int frame) const
{
    SnowParticles still = m_always;
    still.append(waitingAt(frame));
    return still;
}

SnowParticles StillSnow::waitingAt(int frame) const
{
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < m_reached.size(); ++i)
        if (frame < m_reached[i]) rows.push_back(static_cast<std::uint32_t>(i));
    SnowParticles waiting;
    waiting.append(m_waiting, rows);
    return waiting;
}

}  // namespace firn
