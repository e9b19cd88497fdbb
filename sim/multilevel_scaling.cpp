#include "sim/multilevel_scaling.h"

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

// Diagonals of smooth snow, from the sums s_i = sum_p w_ip kappa_p and m_i = sum_p w_ip m_p, where kappa is one
// component's mean stiffness against a slope of one per cell: integrals of the squares of the cubic kernel's slope, and
// of the slope and the value of trilinear interpolation, over that of the value.
constexpr float cubicSlope = 0.4597f;    // 3 (2/3) (151/315)^2
constexpr float linearSlope = 8.f / 3;   // 3 (2) (2/3)^2
constexpr float linearValue = 8.f / 27;  // (2/3)^3
/// All levels correct smooth motion, so their sum corrects it several times; omega makes up for that. With 1/2 a
/// snowball that hits the ground takes 5 % more iterations, with 1/8 as many.
constexpr float omega = 0.25f;
/// A coarser level is added while the largest beta dt^2 s / m is above this. For limits from 2 to 30 the number of
/// iterations is the same, and fewer levels cost less.
constexpr float helpfulCourantSquared = 8;
constexpr std::size_t mostLevels = 10;

/// Calls f(node's first float) for all nodes of a leaf.
template <class F>
void forEachNode(const F& f)
{
    for (int n = 0; n < floatsPerLeaf; n += 4) f(n);
}

void setComponents(float* node, float value) { node[0] = node[1] = node[2] = value; }

}  // namespace

void MultilevelScaling::build(const Grid& grid, const StiffnessOperator& H, const NodeVector& rootMass, double factor)
{
    NodeVector sums;  // (m, s, 0, 0)
    sums.resize(grid.leafCount());
    H.addCoefficients(sums);
    float courantSquared = scaleFinest(rootMass, static_cast<float>(factor), sums);
    std::vector<Vec3i> leaves;
    for (std::size_t i = 0; i < grid.leafCount(); ++i) leaves.push_back(grid.origin(i) / leafSize);
    m_levels.clear();
    float slope = static_cast<float>(factor) * linearSlope / 4;
    for (; courantSquared > helpfulCourantSquared && m_levels.size() < mostLevels; courantSquared /= 4, slope /= 4) {
        m_levels.push_back({CoarseLevel(m_levels.empty() ? leaves : m_levels.back().grid.leaves()), {}, {}});
        sums = scaleLevel(m_levels.back(), sums, slope);
    }
}

/// Fills D_0 and the masses in `sums`; returns the greatest beta dt^2 s / m, which is (c dt / h)^2 but for a factor
/// near one half.
float MultilevelScaling::scaleFinest(const NodeVector& rootMass, float factor, NodeVector& sums)
{
    const std::size_t leaves = sums.leaves();
    m_inverse.resize(leaves);
    std::vector<float> greatest(leaves);
    parallelFor(leaves, [&](std::size_t i) {
        forEachNode([&](int n) {
            float* sum = sums.leaf(i) + n;
            const float root = rootMass.leaf(i)[n];
            sum[0] = root * root;
            const float courantSquared = root > 0 ? factor * sum[1] / sum[0] : 0;
            greatest[i] = std::max(greatest[i], courantSquared);
            setComponents(m_inverse.leaf(i) + n, root > 0 ? 1 / (1 + cubicSlope * courantSquared) : 0);
        });
    });
    float all = 0;
    for (const float one : greatest) all = std::max(all, one);
    return all;
}

/// Fills D_l from the sums of the finer level; returns its own.
NodeVector MultilevelScaling::scaleLevel(Level& level, const NodeVector& finerSums, float slope)
{
    NodeVector sums;
    level.grid.restrictFrom([&](std::size_t i, float*) { return finerSums.leaf(i); }, sums);
    level.inverse.resize(sums.leaves());
    parallelFor(sums.leaves(), [&](std::size_t i) {
        forEachNode([&](int n) {
            const float *sum = sums.leaf(i) + n, d = linearValue * sum[0] + slope * sum[1];
            setComponents(level.inverse.leaf(i) + n, d > 0 ? omega / d : 0);
        });
    });
    return sums;
}

double MultilevelScaling::apply(const NodeVector& r, const NodeVector& rootMass, NodeVector& z,
                                const std::function<void(std::size_t leaf, float* values)>& project)
{
    restrictAll(r, rootMass);
    prolongAll();
    return sumOverLeaves<1>(r.leaves(), [&](std::size_t i) {
        const float *from = r.leaf(i), *inverse = m_inverse.leaf(i), *root = rootMass.leaf(i);
        alignas(64) float smooth[floatsPerLeaf] = {};
        if (!m_levels.empty()) m_levels[0].grid.prolong(m_levels[0].values, i, smooth);
        float* to = z.leaf(i);
        for (int k = 0; k < floatsPerLeaf; ++k) to[k] = inverse[k] * from[k] + root[k] * smooth[k];
        project(i, to);
        return std::array{dotLeaf(from, to)};
    })[0];
}

/// Restricts the residual to every level, from the finest to the coarsest.
void MultilevelScaling::restrictAll(const NodeVector& r, const NodeVector& rootMass)
{
    for (std::size_t l = 0; l < m_levels.size(); ++l) {
        const auto finer = [&](std::size_t i, float* scratch) -> const float* {
            if (l > 0) return m_levels[l - 1].values.leaf(i);
            const float *from = r.leaf(i), *root = rootMass.leaf(i);
            for (int k = 0; k < floatsPerLeaf; ++k) scratch[k] = root[k] * from[k];
            return scratch;
        };
        m_levels[l].grid.restrictFrom(finer, m_levels[l].values);
    }
}

/// Scales the levels and adds each to the next finer one.
void MultilevelScaling::prolongAll()
{
    for (std::size_t l = m_levels.size(); l-- > 0;) {
        Level& level = m_levels[l];
        parallelFor(level.grid.leaves().size(), [&](std::size_t i) {
            float* values = level.values.leaf(i);
            const float* inverse = level.inverse.leaf(i);
            for (int k = 0; k < floatsPerLeaf; ++k) values[k] *= inverse[k];
            if (l + 1 == m_levels.size()) return;
            alignas(64) float smooth[floatsPerLeaf];
            m_levels[l + 1].grid.prolong(m_levels[l + 1].values, i, smooth);
            for (int k = 0; k < floatsPerLeaf; ++k) values[k] += smooth[k];
        });
    }
}

std::size_t MultilevelScaling::bytes() const
{
    std::size_t total = m_inverse.bytes();
    for (const Level& level : m_levels) total += level.grid.bytes() + level.inverse.bytes() + level.values.bytes();
    return total;
}

}  // namespace firn
