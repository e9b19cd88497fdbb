#include "sim/grid.h"

#include <openvdb/tree/LeafNode.h>

#include <algorithm>
#include <cstring>

namespace firn {

namespace {

using VdbLeaf = openvdb::tree::LeafNode<openvdb::Vec4f, 3>;

std::unique_ptr<VdbLeaf> makeLeaf(const Vec3i& origin)
{
    return std::make_unique<VdbLeaf>(openvdb::Coord(origin.x(), origin.y(), origin.z()));
}

float* data(VdbLeaf& leaf) { return reinterpret_cast<float*>(leaf.buffer().data()); }

/// Calls f(slot, origin) for the leaf of a block and for those of its forward neighbours that are reached.
template <class F>
void forEachLeafOf(const Block& block, const F& f)
{
    for (int slot = 0; slot < 8; ++slot) {
        Vec3i origin = block.origin;
        bool reached = true;
        for (int a = 0; a < 3; ++a) {
            if (!(slot >> a & 1)) continue;
            origin[a] += leafSize;
            reached = reached && block.reaches_forward[a];
        }
        if (reached) f(slot, origin);
    }
}

}  // namespace

struct Grid::VdbLeaves {
    std::unique_ptr<VdbLeaf> first, second;
};

Grid::Grid(double spacing_m) : m_h(spacing_m) {}
Grid::~Grid() = default;

void Grid::activate(Order& order)
{
    std::vector<Vec3i> origins;
    for (const Block& block : order.blocks)
        forEachLeafOf(block, [&](int, const Vec3i& origin) { origins.push_back(origin); });
    std::sort(origins.begin(), origins.end(), originBefore);
    origins.erase(std::unique(origins.begin(), origins.end()), origins.end());

    const bool sameTopology = origins.size() == m_leaves.size() &&
                              std::equal(origins.begin(), origins.end(), m_leaves.begin(),
                                         [](const Vec3i& origin, const Leaf& leaf) { return origin == leaf.origin; });
    if (!sameTopology) setLeaves(origins);
    parallelFor(m_leaves.size(), [&](std::size_t i) {
        std::memset(m_leaves[i].first, 0, floatsPerLeaf * sizeof(float));
        std::memset(m_leaves[i].second, 0, floatsPerLeaf * sizeof(float));
    });
    m_holds = Holds::Sums;
    parallelFor(order.blocks.size(), [&](std::size_t b) { link(order.blocks[b]); });
}

void Grid::setLeaves(const std::vector<Vec3i>& origins)
{
    std::vector<Leaf> leaves;
    std::vector<VdbLeaves> owned;
    leaves.reserve(origins.size());
    owned.reserve(origins.size());
    std::size_t old = 0;
    for (const Vec3i& origin : origins) {
        while (old < m_leaves.size() && originBefore(m_leaves[old].origin, origin)) ++old;
        const bool exists = old < m_leaves.size() && m_leaves[old].origin == origin;
        owned.push_back(exists ? std::move(m_owned[old]) : VdbLeaves{makeLeaf(origin), makeLeaf(origin)});
        leaves.push_back({origin, data(*owned.back().first), data(*owned.back().second)});
    }
    m_leaves = std::move(leaves);
    m_owned = std::move(owned);
}

bool Grid::link(Block& block) const
{
    bool any = false;
    block.leaves.fill(-1);
    forEachLeafOf(block, [&](int slot, const Vec3i& origin) {
        const auto isBefore = [](const Leaf& leaf, const Vec3i& o) { return originBefore(leaf.origin, o); };
        const auto found = std::lower_bound(m_leaves.begin(), m_leaves.end(), origin, isBefore);
        if (found == m_leaves.end() || found->origin != origin) return;
        block.leaves[slot] = static_cast<int>(found - m_leaves.begin());
        any = true;
    });
    return any;
}

std::size_t Grid::bytes() const
{
    return m_owned.size() * 2 * (sizeof(VdbLeaf) + floatsPerLeaf * sizeof(float)) + m_leaves.capacity() * sizeof(Leaf);
}

}  // namespace firn
