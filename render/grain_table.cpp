#include "render/grain_table.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <utility>

namespace firn {

GrainTable::GrainTable(std::vector<Grain> grains, double cube_m) : m_cube_m(cube_m)
{
    std::vector<std::pair<LeafKey, std::uint32_t>> order(grains.size());
    for (std::size_t i = 0; i < grains.size(); ++i) {
        const Vec3i cube = (grains[i].position / m_cube_m).array().floor().cast<int>();
        order[i] = {leafKey(cube), static_cast<std::uint32_t>(i)};
        m_reach_m = std::max(m_reach_m, 2 * static_cast<double>(grains[i].width_m));
    }
    tbb::parallel_sort(order.begin(), order.end());
    m_keys.reserve(order.size());
    m_grains.reserve(order.size());
    for (const auto& [key, i] : order) {
        m_keys.push_back(key);
        m_grains.push_back(grains[i]);
    }
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
