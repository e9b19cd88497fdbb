#include "common/body/ball_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace firn {

BallTree::BallTree(const std::vector<Ball>& balls) : m_order(balls.size())
{
    std::iota(m_order.begin(), m_order.end(), 0);
    if (!balls.empty()) build(balls, 0, static_cast<int>(balls.size()));
}

/// Halves the balls along the longest axis of their centres' bounds.
int BallTree::build(const std::vector<Ball>& balls, int first, int count)
{
    const auto index = static_cast<int>(m_nodes.size());
    Node node;
    node.first = first;
    node.count = count;
    for (int i = first; i < first + count; ++i) {
        node.centers.extend(balls[m_order[i]].center);
        node.largest_radius = std::max(node.largest_radius, balls[m_order[i]].radius);
    }
    m_nodes.push_back(node);
    if (count <= leafBalls) return index;
    int axis;
    node.centers.sizes().maxCoeff(&axis);
    const int half = count / 2;
    std::nth_element(m_order.begin() + first, m_order.begin() + first + half, m_order.begin() + first + count,
                     [&](int a, int b) { return balls[a].center[axis] < balls[b].center[axis]; });
    const int left = build(balls, first, half), right = build(balls, first + half, count - half);
    m_nodes[index].left = left;
    m_nodes[index].right = right;
    return index;
}

double BallTree::nearestCenter2(const std::vector<Ball>& balls, const Vec3d& point) const
{
    double nearest = std::numeric_limits<double>::infinity();
    const auto distance2 = [&](int node) { return m_nodes[node].centers.squaredExteriorDistance(point); };
    std::vector<int> open;
    if (!m_nodes.empty()) open.push_back(0);
    while (!open.empty()) {
        const int index = open.back();
        open.pop_back();
        const Node& node = m_nodes[index];
        if (distance2(index) > nearest) continue;
        if (node.left < 0) {
            for (int i = node.first; i < node.first + node.count; ++i)
                nearest = std::min(nearest, (point - balls[m_order[i]].center).squaredNorm());
            continue;
        }
        const bool leftFirst = distance2(node.left) <= distance2(node.right);
        open.push_back(leftFirst ? node.right : node.left);
        open.push_back(leftFirst ? node.left : node.right);
    }
    return nearest;
}

std::vector<int> BallTree::within(const std::vector<Ball>& balls, const Vec3d& point, double reach) const
{
    std::vector<int> found, open;
    if (!m_nodes.empty()) open.push_back(0);
    while (!open.empty()) {
        const Node& node = m_nodes[open.back()];
        open.pop_back();
        // A little more than needed, so that rounding decides nothing here.
        const double most = (reach + node.largest_radius) * (1 + 1e-9);
        if (node.centers.squaredExteriorDistance(point) > most * most) continue;
        if (node.left >= 0) {
            open.push_back(node.left);
            open.push_back(node.right);
            continue;
        }
        for (int i = node.first; i < node.first + node.count; ++i) {
            const Ball& ball = balls[m_order[i]];
            const double limit = reach + ball.radius;
            if ((point - ball.center).squaredNorm() <= limit * limit) found.push_back(m_order[i]);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace firn
