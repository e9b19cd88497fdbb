#include "render/grain_table.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <utility>

namespace firn {

namespace {

using Order = std::vector<std::pair<LeafKey, std::uint32_t>>;

/// Moves the grain order[i].second to i, for all i of the cycle that `start` belongs to; order[i].second becomes i. So
/// grains are sorted in place.
void moveAlongCycle(Order& order, std::size_t start, std::vector<Grain>& grains)
{
    if (order[start].second == start) return;
    const Grain first = grains[start];
    std::size_t to = start;
    for (;;) {
        const std::size_t from = std::exchange(order[to].second, static_cast<std::uint32_t>(to));
        if (from == start) break;
        grains[to] = grains[from];
        to = from;
    }
    grains[to] = first;
}

}  // namespace

GrainTable::GrainTable(std::vector<Grain> grains, double cube_m) : m_cube_m(cube_m)
{
    Order order(grains.size());
    for (std::size_t i = 0; i < grains.size(); ++i) {
        const Vec3i cube = (grains[i].position / m_cube_m).array().floor().cast<int>();
        order[i] = {leafKey(cube), static_cast<std::uint32_t>(i)};
        m_reach_m = std::max(m_reach_m, 2 * static_cast<double>(grains[i].width_m));
    }
    tbb::parallel_sort(order.begin(), order.end());
    m_keys.reserve(order.size());
    for (const auto& entry : order) m_keys.push_back(entry.first);
    m_grains = std::move(grains);
    for (std::size_t start = 0; start < order.size(); ++start) moveAlongCycle(order, start, m_grains);
}

void GrainTable::find(const Vec3d& low, const Vec3d& high, std::vector<Grain>& found) const
{
    found.clear();
    const Vec3i first = ((low.array() - m_reach_m) / m_cube_m).floor().cast<int>();
    const Vec3i last = ((high.array() + m_reach_m) / m_cube_m).floor().cast<int>();
    for (int x = first.x(); x <= last.x(); ++x) {
        for (int y = first.y(); y <= last.y(); ++y) {
            // Keys of a z-row follow one another.
            const auto begin = std::lower_bound(m_keys.begin(), m_keys.end(), leafKey(x, y, first.z()));
            const auto end = std::upper_bound(begin, m_keys.end(), leafKey(x, y, last.z()));
            for (auto key = begin; key != end; ++key) {
                const Grain& grain = m_grains[static_cast<std::size_t>(key - m_keys.begin())];
                if (reaches(grain, low, high)) found.push_back(grain);
            }
        }
    }
}

}  // namespace firn
