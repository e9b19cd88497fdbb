#include "sim/sleep.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/parallel.h"

namespace firn {

namespace {

/// Cells that a particle has moved since its anchor was set; sets the anchor to the present place. Moves of more than
/// half a cell are judged by the speed.
double cellsMoved(Particles& particles, std::uint32_t p, double cellsPerSpeed)
{
    double moved = 0, speed = 0;
    for (int a = 0; a < 3; ++a) {
        const auto now = static_cast<std::uint16_t>(static_cast<int>(particles.offset[a][p] * 65536));
        const auto shift = static_cast<std::int16_t>(now - particles.anchor[a][p]);  // the shorter way round
        particles.anchor[a][p] = now;
        moved += shift / 65536.0 * (shift / 65536.0);
        speed += static_cast<double>(particles.velocity[a][p]) * particles.velocity[a][p];
    }
    const double bySpeed = std::sqrt(speed) * cellsPerSpeed;
    return bySpeed > 0.5 ? bySpeed : std::sqrt(moved);
}

/// How many particles of a block have been quiet.
struct QuietCount {
    std::uint32_t one_frame = 0;  // for a frame at least
    std::uint32_t settled = 0;    // for Sleepers::quietFrames
};

bool isNearlyAll(std::uint32_t count, std::uint32_t all) { return count >= Sleepers::nearlyAll * all; }

/// Counts the frames for which the particles of a block have been quiet.
QuietCount countQuiet(Particles& particles, const Order& order, const Block& block, double farthest,
                      double cellsPerSpeed)
{
    QuietCount count;
    for (std::uint32_t k = block.first; k < block.first + block.count; ++k) {
        const std::uint32_t p = order.index[k];
        const bool quiet = cellsMoved(particles, p, cellsPerSpeed) < farthest;
        particles.quiet_frames[p] = static_cast<std::uint8_t>(quiet ? std::min(particles.quiet_frames[p] + 1, 254) : 0);
        count.one_frame += particles.quiet_frames[p] >= 1;
        count.settled += particles.quiet_frames[p] >= Sleepers::quietFrames;
    }
    return count;
}

/// Whether nearly all awake particles of a block and of those around it have been quiet for a frame at least.
bool quietAround(const Order& order, const std::vector<QuietCount>& quiet, const Block& block)
{
    std::uint32_t count = 0, all = 0;
    for (int n = 0; n < 27; ++n) {
        const Vec3i origin = block.origin + leafSize * Vec3i(n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1);
        const auto found = std::lower_bound(order.blocks.begin(), order.blocks.end(), origin,
                                            [](const Block& b, const Vec3i& o) { return originBefore(b.origin, o); });
        if (found == order.blocks.end() || found->origin != origin) continue;
        count += quiet[static_cast<std::size_t>(found - order.blocks.begin())].one_frame;
        all += found->count;
    }
    return isNearlyAll(count, all);
}

/// Whether a wave reaches a block: whether the nodes of its kernels that are faster than `speed` have more than a small
/// share of the mass. A crumb that falls on snow shakes some nodes, a wave all nodes of a side. Nodes with less than a
/// third of the mass of the heaviest one do not count: they are at the border of the snow, where single particles shake
/// them.
bool isShaken(const Grid& grid, const Block& block, double speed)
{
    constexpr float leastMass = 1.f / 3;
    constexpr double share = 0.05;
    const auto forEachNode = [&](auto&& f) {
        for (const int leaf : block.leaves) {
            if (leaf < 0) continue;
            const float* v = grid.newVelocity(static_cast<std::size_t>(leaf));
            const float* old = grid.oldVelocity(static_cast<std::size_t>(leaf));
            for (int n = 0; n < nodesPerLeaf; ++n) f(v + 4 * n, old[4 * n + 3]);
        }
    };
    float heaviest = 0;
    forEachNode([&](const float*, float mass) { heaviest = std::max(heaviest, mass); });
    const auto limit = static_cast<float>(speed * speed);
    double all = 0, fast = 0;
    forEachNode([&](const float* v, float mass) {
        if (mass < leastMass * heaviest) return;
        all += static_cast<double>(mass);
        if (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > limit) fast += static_cast<double>(mass);
    });
    return fast > share * all;
}

}  // namespace

void Sleepers::settle(Particles& awake, const Contact& contact, double h, double farthest, double frame_s)
{
    Order order;
    order.build(awake);
    std::vector<QuietCount> quiet(order.blocks.size());
    parallelFor(order.blocks.size(),
                [&](std::size_t b) { quiet[b] = countQuiet(awake, order, order.blocks[b], farthest, frame_s / h); });
    std::vector<std::uint32_t> settled, others;
    for (std::size_t b = 0; b < order.blocks.size(); ++b) {
        const Block& block = order.blocks[b];
        const bool sleeps = isNearlyAll(quiet[b].settled, block.count) && quietAround(order, quiet, block) &&
                            !contact.movingNearTile(block.origin);
        for (std::uint32_t k = block.first; k < block.first + block.count; ++k) {
            const std::uint32_t p = order.index[k];
            (sleeps && awake.quiet_frames[p] >= quietFrames ? settled : others).push_back(p);
        }
    }
    compact();
    if (settled.empty()) return;
    Particles all = std::move(m_particles), left;
    appendRows(awake, settled, all);
    appendRows(awake, others, left);
    awake = std::move(left);
    take(all);
}

void Sleepers::take(const Particles& particles)
{
    m_order.build(particles);
    m_particles = Particles();
    appendRows(particles, m_order.index, m_particles);
    std::iota(m_order.index.begin(), m_order.index.end(), 0u);
    for (auto* vectors : {&m_particles.velocity, &m_particles.travel})
        for (auto& component : *vectors) std::fill(component.begin(), component.end(), 0.f);
    for (auto& entry : m_particles.C) std::fill(entry.begin(), entry.end(), 0.f);
    m_count = m_particles.size();
    m_mass = std::accumulate(m_particles.mass.begin(), m_particles.mass.end(), 0.0);
    m_disturbed.clear();
}

void Sleepers::restore(const Particles& particles) { take(particles); }

const Order& Sleepers::rim(const Grid& grid)
{
    std::vector<char> linked(m_order.blocks.size());
    parallelFor(
        linked.size(), [&](std::size_t b) { linked[b] = m_order.blocks[b].count > 0 && grid.link(m_order.blocks[b]); },
        16);
    for (auto& colour : m_order.colours) colour.clear();
    for (std::size_t b = 0; b < linked.size(); ++b)
        if (linked[b]) m_order.colours[m_order.blocks[b].colour()].push_back(static_cast<int>(b));
    return m_order;
}

void Sleepers::findDisturbed(const Grid& grid, const Contact& contact, double wakeSpeed,
                             const std::function<bool(const Vec3i& origin)>& held)
{
    std::vector<char> disturbed(m_order.blocks.size());
    parallelFor(
        disturbed.size(),
        [&](std::size_t b) {
            const Block& block = m_order.blocks[b];
            disturbed[b] = block.count > 0 && contact.movingNearTile(block.origin);
        },
        16);
    for (const auto& colour : m_order.colours)
        parallelFor(colour.size(), [&](std::size_t k) {
            const auto b = static_cast<std::size_t>(colour[k]);
            const Block& block = m_order.blocks[b];
            disturbed[b] = disturbed[b] || (isShaken(grid, block, wakeSpeed) && !held(block.origin));
        });
    m_disturbed.clear();
    for (std::size_t b = 0; b < disturbed.size(); ++b)
        if (disturbed[b]) m_disturbed.push_back(static_cast<int>(b));
}

void Sleepers::wakeDisturbed(Particles& awake)
{
    for (const int b : m_disturbed) {
        Block& block = m_order.blocks[static_cast<std::size_t>(b)];
        const std::size_t first = awake.size();
        appendRows(m_particles, std::span(m_order.index).subspan(block.first, block.count), awake);
        for (std::size_t p = first; p < awake.size(); ++p)
            if (awake.quiet_frames[p] != Particles::untouched) awake.quiet_frames[p] = 0;
        for (std::uint32_t k = block.first; k < block.first + block.count; ++k) m_mass -= m_particles.mass[k];
        m_count -= block.count;
        block.count = 0;
    }
    m_disturbed.clear();
}

void Sleepers::wakeAll(Particles& awake)
{
    m_disturbed.clear();
    for (std::size_t b = 0; b < m_order.blocks.size(); ++b)
        if (m_order.blocks[b].count > 0) m_disturbed.push_back(static_cast<int>(b));
    const std::size_t first = awake.size();
    if (first == 0) awake.keepColumnsOf(m_particles);
    wakeDisturbed(awake);
    for (std::size_t p = first; p < awake.size(); ++p) awake.quiet_frames[p] = 0;
}

void Sleepers::compact()
{
    if (m_count == m_particles.size()) return;
    std::vector<std::uint32_t> rows;
    for (const Block& block : m_order.blocks)
        rows.insert(rows.end(), m_order.index.begin() + block.first, m_order.index.begin() + block.first + block.count);
    Particles left;
    appendRows(m_particles, rows, left);
    take(left);
}

void Sleepers::add(const Particles& particles)
{
    if (particles.size() == 0) return;
    compact();
    Particles all = std::move(m_particles);
    appendAll(particles, all);
    take(all);
}

Particles Sleepers::takeOut(const std::function<bool(const Vec3i& origin)>& leaves)
{
    std::vector<std::uint32_t> taken, kept;
    for (const Block& block : m_order.blocks) {
        auto& rows = leaves(block.origin) ? taken : kept;
        rows.insert(rows.end(), m_order.index.begin() + block.first, m_order.index.begin() + block.first + block.count);
    }
    Particles result, left;
    result.keepColumnsOf(m_particles);
    if (taken.empty()) return result;
    appendRows(m_particles, taken, result);
    appendRows(m_particles, kept, left);
    take(left);
    return result;
}

std::size_t Sleepers::bytes() const
{
    std::size_t total = m_order.bytes();
    Particles::forEachColumn(
        m_particles, [&](const std::string&, const auto& column) { total += column.capacity() * sizeof(column[0]); });
    return total;
}

}  // namespace firn
