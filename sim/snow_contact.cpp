#include "sim/snow_contact.h"

#include <algorithm>
#include <cstring>

#include "common/error.h"

namespace firn {

namespace {

constexpr const char* awakeBlock = "touches";
constexpr const char* asleepBlock = "sleeping.touches";

void addTouches(const Touches& touches, const char* name, CheckpointView& view)
{
    if (!touches.all().empty()) view.blocks.emplace_back(name, std::as_bytes(touches.all()));
}

Touches restoreTouches(const Checkpoint& checkpoint, const char* name)
{
    const auto block = checkpoint.blocks.find(name);
    if (block == checkpoint.blocks.end()) return {};
    const std::size_t bytes = block->second.size();
    if (bytes % sizeof(Touch) != 0)
        throw Error(ExitCode::File, std::string("checkpoint: block '") + name + "' has " + std::to_string(bytes) +
                                        " bytes, expected a multiple of " + std::to_string(sizeof(Touch)));
    std::vector<Touch> touches(bytes / sizeof(Touch));
    std::memcpy(static_cast<void*>(touches.data()), block->second.data(), bytes);
    return Touches(std::move(touches));
}

}  // namespace

std::vector<float> adhesionsOf(const Scene& scene)
{
    if (std::ranges::all_of(scene.snow, [](const SnowRegion& region) { return region.material.adhesion_pa <= 0; }))
        return {};
    std::vector<float> adhesions;
    for (const SnowRegion& region : scene.snow) adhesions.push_back(static_cast<float>(region.material.adhesion_pa));
    return adhesions;
}

SnowContact::SnowContact(const std::vector<Body>& bodies, const Solver& solver)
    : m_bodies(bodies, solver.dx),
      m_method(solver.contact),
      m_stopsParticles(solver.contact == ContactMethod::Nodes || solver.transfer == Transfer::Flip)
{
}

void SnowContact::apply(Grid& grid, const ContactStep& step, const Participants& awake, const Participants* asleep)
{
    if (m_method == ContactMethod::Nodes) return collide(m_bodies, grid, m_held);
    m_held.assign(grid.leafCount(), {});
    m_impulses.start(step);
    m_impulses.find(m_bodies, awake.particles, awake.order, m_awake);
    if (asleep) m_impulses.find(m_bodies, asleep->particles, asleep->order, m_asleep);
    m_impulses.apply(grid);
}

void SnowContact::applyAgain(Grid& grid)
{
    if (m_method == ContactMethod::Nodes) return collide(m_bodies, grid, m_held);
    m_impulses.improve(grid);
}

NodeFlags SnowContact::touchedNodes(const Grid& grid) const
{
    if (m_method == ContactMethod::Impulses) return m_impulses.touchedNodes(grid);
    NodeFlags touched(grid.leafCount());
    for (std::size_t leaf = 0; leaf < touched.size(); ++leaf)
        for (const HeldNode& held : m_held[leaf]) touched[leaf].set(static_cast<std::size_t>(held.node));
    return touched;
}

void SnowContact::accept()
{
    if (m_method == ContactMethod::Impulses) m_awake = m_impulses.touches();
}

void SnowContact::fallAsleep(std::span<const std::uint32_t> particles) { m_asleep.add(m_awake.extract(particles)); }
void SnowContact::wake(std::span<const std::uint32_t> particles) { m_awake.add(m_asleep.extract(particles)); }
void SnowContact::forget(std::span<const std::uint32_t> particles)
{
    m_awake.extract(particles);
    m_asleep.extract(particles);
}

void SnowContact::addTo(CheckpointView& view) const
{
    addTouches(m_awake, awakeBlock, view);
    addTouches(m_asleep, asleepBlock, view);
}

void SnowContact::restore(const Checkpoint& checkpoint)
{
    m_awake = restoreTouches(checkpoint, awakeBlock);
    m_asleep = restoreTouches(checkpoint, asleepBlock);
}

}  // namespace firn
