#include "sim/waiting_snow.h"

#include <algorithm>
#include <utility>

#include "common/snow/seams.h"
#include "sim/seeding.h"

namespace firn {

namespace {

using Column = std::pair<int, int>;  // x and z of a block's origin

/// The columns of blocks that hold a particle, in order.
std::vector<Column> columnsOf(const Particles& particles)
{
    std::vector<Column> columns;
    for (std::size_t p = 0; p < particles.size(); ++p) {
        const Vec3i block = MovingWindow::blockOf({particles.cell[0][p], particles.cell[1][p], particles.cell[2][p]});
        const Column column(block.x(), block.z());
        if (columns.empty() || columns.back() != column) columns.push_back(column);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
}

bool isNear(const std::vector<Column>& columns, const Vec3i& block)
{
    for (int n = 0; n < 9; ++n) {
        const Column column(block.x() + leafSize * (n / 3 - 1), block.z() + leafSize * (n % 3 - 1));
        if (std::binary_search(columns.begin(), columns.end(), column)) return true;
    }
    return false;
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

Particles WaitingSnow::takeLeft(int frame, const Particles& awake, Sleepers& sleepers) const
{
    const std::vector<Column> columns = columnsOf(awake);
    return sleepers.takeOut(
        [&](const Vec3i& block) { return m_window.isPast(block, frame) && !isNear(columns, block); });
}

std::size_t WaitingSnow::countBeyond(int frame, const Particles& awake) const
{
    std::vector<Column> waiting;
    for (const Column& column : columnsOf(awake)) {
        const Vec3i block(column.first, 0, column.second);
        const Vec3d middle = m_scene.solver.dx * (block.cast<double>() + Vec3d::Constant(1 + leafSize / 2));
        const auto holds = [&](const Region& region) {
            const Box3d box = region.bounds();
            return m_window.covers(region.spec()) && middle.x() > box.min().x() && middle.x() < box.max().x() &&
                   middle.z() > box.min().z() && middle.z() < box.max().z();
        };
        if (m_window.firstFrame(block) > frame && std::ranges::any_of(m_regions, holds)) waiting.push_back(column);
    }
    if (waiting.empty()) return 0;
    std::size_t count = 0;
    for (std::size_t p = 0; p < awake.size(); ++p) {
        const Vec3i block = MovingWindow::blockOf({awake.cell[0][p], awake.cell[1][p], awake.cell[2][p]});
        count += std::binary_search(waiting.begin(), waiting.end(), Column(block.x(), block.z()));
    }
    return count;
}

}  // namespace firn
