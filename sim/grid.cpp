#include "sim/grid.h"

#include <openvdb/tree/Tree.h>

#include <algorithm>
#include <cstring>

namespace firn {

namespace {

// Smaller inner nodes than OpenVDB's usual ones, which take 9 MB around the origin for any amount of snow.
using NodeTree = openvdb::tree::Tree4<openvdb::Vec4f, 4, 3, 3>::Type;
using NodeLeaf = NodeTree::LeafNodeType;

openvdb::Coord toCoord(const Vec3i& v) { return {v.x(), v.y(), v.z()}; }

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
            reached = reached && block.reachesForward[a];
        }
        if (reached) f(slot, origin);
    }
}

float* nodeData(NodeTree& tree, const Vec3i& origin)
{
    return reinterpret_cast<float*>(tree.probeLeaf(toCoord(origin))->buffer().data());
}

}  // namespace

struct Grid::Trees {
    NodeTree first, second;
};

Grid::Grid(double spacing_m) : m_trees(std::make_unique<Trees>()), m_h(spacing_m) {}
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
    if (!sameTopology) {
        m_trees = std::make_unique<Trees>();
        m_leaves.clear();
        for (const Vec3i& origin : origins) {
            m_trees->first.touchLeaf(toCoord(origin));
            m_trees->second.touchLeaf(toCoord(origin));
            m_leaves.push_back({origin, nodeData(m_trees->first, origin), nodeData(m_trees->second, origin)});
        }
    }
    parallelFor(m_leaves.size(), [&](std::size_t i) {
        std::memset(m_leaves[i].first, 0, floatsPerLeaf * sizeof(float));
        std::memset(m_leaves[i].second, 0, floatsPerLeaf * sizeof(float));
    });
    m_holds = Holds::Sums;
    parallelFor(order.blocks.size(), [&](std::size_t b) { link(order.blocks[b]); });
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

std::size_t Grid::bytes() const { return m_trees->first.memUsage() + m_trees->second.memUsage(); }

}  // namespace firn
