#pragma once
// The background grid: two node trees of the same topology whose leaves exist only where particles' kernels reach.
// Hot loops never walk the trees; they use the list of leaves, with direct access to the leaf buffers, in which node
// (x, y, z) of a leaf is at 64 x + 8 y + z, four floats each.

#include <memory>
#include <vector>

#include "common/math.h"
#include "sim/order.h"

namespace firn {

constexpr int nodesPerLeaf = leafSize * leafSize * leafSize;

/// One leaf in both trees. What the four floats of a node hold changes during a step:
///   momentum: (m v, m) after rasterize; (v_new - alpha v_old, m) after updateVelocities
///   force:    (f, 0) after addForces;   (v_new, 0) after updateVelocities
struct Leaf {
    Vec3i origin;
    float* momentum;
    float* force;
};

class Grid {
public:
    explicit Grid(double spacing_m);
    ~Grid();

    /// Leaves, zeroed, for all blocks and for the forward neighbours their kernels reach; fills Block::leaf.
    void activate(Order& order);

    /// Fills Block::leaf with those of its leaves that are active; tells whether there are any.
    bool link(Block& block) const;

    double spacing() const { return m_h; }
    std::size_t bytes() const;

    std::vector<Leaf> leaves;  // by origin

private:
    struct Trees;
    std::unique_ptr<Trees> m_trees;
    double m_h;
};

}  // namespace firn
