#pragma once
// A tree over balls, to find those near a point among many.

#include <vector>

#include "common/math.h"

namespace firn {

struct Ball {
    Vec3d center;
    double radius;
};

/// Holds numbers of balls, not the balls: each call gets the same ones again.
class BallTree {
public:
    explicit BallTree(const std::vector<Ball>& balls);

    /// Square of the distance from a point to the nearest centre.
    double nearestCenter2(const std::vector<Ball>& balls, const Vec3d& point) const;

    /// The numbers of the balls of which a part is within `reach` of a point, in increasing order.
    std::vector<int> within(const std::vector<Ball>& balls, const Vec3d& point, double reach) const;

private:
    static constexpr int leafBalls = 16;

    struct Node {
        Box3d centers;
        double largest_radius = 0;
        int first = 0, count = 0;  // in m_order
        int left = -1, right = -1;
    };

    int build(const std::vector<Ball>& balls, int first, int count);

    std::vector<Node> m_nodes;  // the root comes first
    std::vector<int> m_order;
};

}  // namespace firn
