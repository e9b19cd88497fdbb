#pragma once
// Finds the items that reach a box. An item has a `position` (m) and reach_m().

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "common/leaf_key.h"

namespace firn {

template <class Item>
class PlaceTable {
public:
    /// The items are sorted into cubes with edges of `cube_m`.
    PlaceTable(std::vector<Item> items, double cube_m) : m_cube_m(cube_m), m_items(std::move(items))
    {
        Order order(m_items.size());
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            const Vec3i cube = (m_items[i].position / m_cube_m).array().floor().template cast<int>();
            order[i] = {leafKey(cube), static_cast<std::uint32_t>(i)};
            m_reach_m = std::max(m_reach_m, m_items[i].reach_m());
        }
        tbb::parallel_sort(order.begin(), order.end());
        m_keys.reserve(order.size());
        for (const auto& entry : order) m_keys.push_back(entry.first);
        for (std::size_t start = 0; start < order.size(); ++start) moveAlongCycle(order, start);
    }

    /// Those that may reach a box (m), in an order that depends on the items alone.
    void find(const Vec3d& low, const Vec3d& high, std::vector<Item>& found) const
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
                    const Item& item = m_items[static_cast<std::size_t>(key - m_keys.begin())];
                    if (reaches(item, low, high)) found.push_back(item);
                }
            }
        }
    }

    /// Whether an item may reach a box (m).
    static bool reaches(const Item& item, const Vec3d& low, const Vec3d& high)
    {
        const double reach = item.reach_m();
        return (item.position.array() > low.array() - reach).all() &&
               (item.position.array() < high.array() + reach).all();
    }

private:
    using Order = std::vector<std::pair<LeafKey, std::uint32_t>>;

    /// Moves the item order[i].second to i, for all i of the cycle that `start` belongs to; order[i].second becomes i.
    /// So items are sorted in place.
    void moveAlongCycle(Order& order, std::size_t start)
    {
        if (order[start].second == start) return;
        const Item first = m_items[start];
        std::size_t to = start;
        for (;;) {
            const std::size_t from = std::exchange(order[to].second, static_cast<std::uint32_t>(to));
            if (from == start) break;
            m_items[to] = m_items[from];
            to = from;
        }
        m_items[to] = first;
    }

    double m_cube_m, m_reach_m = 0;
    std::vector<LeafKey> m_keys;  // of the items' cubes, ascending
    std::vector<Item> m_items;
};

}  // namespace firn
