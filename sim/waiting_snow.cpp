#include "sim/waiting_snow.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "common/snow/seams.h"
#include "sim/seeding.h"

namespace firn {

namespace {

using Column = std::pair<int, int>;  // x and z of a block's origin

constexpr double slowCells = 0.2;  // per frame: particles so slow leave with the sleeping snow around them

Column columnOf(const Particles& particles, std::size_t p)
{
    const Vec3i block = MovingWindow::blockOf({particles.cell[0][p], particles.cell[1][p], particles.cell[2][p]});
    return {block.x(), block.z()};
}

/// How many particles each column of blocks holds.
std::map<Column, std::size_t> countColumns(const Particles& particles)
{
    std::map<Column, std::size_t> counts;
    auto last = counts.end();
    for (std::size_t p = 0; p < particles.size(); ++p) {
        const Column column = columnOf(particles, p);
        if (last == counts.end() || last->first != column) last = counts.try_emplace(column).first;
        ++last->second;
    }
    return counts;
}

/// The column of a block and the eight around it.
std::array<Column, 9> columnsAround(const Column& column)
{
    std::array<Column, 9> around;
    for (int n = 0; n < 9; ++n)
        around[static_cast<std::size_t>(n)] = {column.first + leafSize * (n / 3 - 1),
                                               column.second + leafSize * (n % 3 - 1)};
    return around;
}

/// The rows of particles for which `wanted` is true, and the others.
template <class F>
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> split(std::size_t count, F&& wanted)
{
    std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> rows;
    for (std::size_t p = 0; p < count; ++p)
        (wanted(p) ? rows.first : rows.second).push_back(static_cast<std::uint32_t>(p));
    return rows;
}

}  // namespace

WaitingSnow::WaitingSnow(const Scene& scene, const std::vector<Body>& bodies)
    : m_scene(scene), m_bodies(bodies), m_window(scene, bodies), m_numbers(scene, m_window)
{
    if (m_window.isThere()) m_regions = regionsOf(scene);
}

Particles WaitingSnow::reachedIn(int frame) const
{
    Particles reached;
    reached.varied_strength = hasVariedStrength(m_scene);
    const MovingWindow::Cells near = m_window.cells(frame);
    for (std::size_t r = 0; r < m_regions.size(); ++r) {
        if (!m_window.covers(m_regions[r].spec())) continue;
        SeedCells part = cellsOf(m_regions[r], m_scene.solver.dx);
        part.low.x() = std::max(part.low.x(), near.x0);
        part.high.x() = std::min(part.high.x(), near.x1);
        part.low.z() = std::max(part.low.z(), near.z0);
        part.high.z() = std::min(part.high.z(), near.z1);
        part.wanted = [&](const Vec3i& cell) { return m_window.firstFrame(MovingWindow::blockOf(cell)) == frame; };
        Seeds seeds = seedsOf(m_regions, r, m_scene.solver.dx, m_bodies, part);
        std::vector<std::uint32_t> ids;
        ids.reserve(seeds.count());
        for (const auto& slab : seeds.slabs)
            for (const Seed& seed : slab) ids.push_back(m_numbers.of(r, seed.number));
        Particles particles =
            particlesAt(m_regions[r], static_cast<int>(r), m_scene.solver, seeds, reached.varied_strength);
        particles.id = std::move(ids);
        appendAll(particles, reached);
    }
    startTransfer(m_scene, reached);
    std::ranges::fill(reached.quiet_frames, Particles::untouched);
    return reached;
}

Particles WaitingSnow::takeLeft(int frame, Particles& awake, Sleepers& sleepers) const
{
    sleepers.compact();
    const std::map<Column, std::size_t> moving = countColumns(awake), still = countColumns(sleepers.particles());
    const auto countIn = [](const std::map<Column, std::size_t>& counts, const Column& column) {
        const auto found = counts.find(column);
        return found == counts.end() ? std::size_t{0} : found->second;
    };
    const auto isCalm = [&](const Column& column) {
        const auto few = static_cast<double>(countIn(moving, column));
        return few <= (1 - Sleepers::nearlyAll) * (few + static_cast<double>(countIn(still, column)));
    };
    std::set<Column> leaving;
    for (const auto& [column, count] : still)
        if (m_window.isPast({column.first, 0, column.second}, frame) &&
            std::ranges::all_of(columnsAround(column), isCalm))
            leaving.insert(column);
    if (leaving.empty()) return sleepers.takeOut([](const Vec3i&) { return false; });
    Particles left =
        sleepers.takeOut([&](const Vec3i& block) { return leaving.contains(Column(block.x(), block.z())); });
    const double slow = slowCells * m_scene.solver.dx * m_scene.fps;
    const auto [stragglers, others] = split(awake.size(), [&](std::size_t p) {
        const Vec3f v(awake.velocity[0][p], awake.velocity[1][p], awake.velocity[2][p]);
        return static_cast<double>(v.norm()) < slow && leaving.contains(columnOf(awake, p));
    });
    if (stragglers.empty()) return left;
    Particles rest;
    appendRows(awake, stragglers, left);
    for (auto& component : left.velocity) std::ranges::fill(component, 0.f);
    appendRows(awake, others, rest);
    awake = std::move(rest);
    return left;
}

bool WaitingSnow::waitsIn(const Vec3i& block, int frame) const
{
    if (m_window.firstFrame(block) <= frame) return false;
    const Vec3d middle = m_scene.solver.dx * (block.cast<double>() + Vec3d::Constant(1 + 0.5 * leafSize));
    return std::ranges::any_of(m_regions, [&](const Region& region) {
        const Box3d box = region.bounds();
        return m_window.covers(region.spec()) && middle.x() > box.min().x() && middle.x() < box.max().x() &&
               middle.z() > box.min().z() && middle.z() < box.max().z();
    });
}

bool WaitingSnow::isBorder(const Vec3i& block, int frame) const
{
    for (int n = 0; n < 9; ++n)
        if (waitsIn(block + leafSize * Vec3i(n / 3 - 1, 0, n % 3 - 1), frame)) return true;
    return false;
}

std::size_t WaitingSnow::countBeyond(int frame, const Particles& awake) const
{
    std::size_t count = 0;
    for (const auto& [column, particles] : countColumns(awake))
        if (waitsIn({column.first, 0, column.second}, frame)) count += particles;
    return count;
}

}  // namespace firn
