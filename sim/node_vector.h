#pragma once
// Vectors over the grid's degrees of freedom for the semi-implicit solve: leaf after leaf, node after node, x y z and a
// fourth float that stays zero. All sums run in the order of the leaves, whatever the threads.

#include <array>
#include <vector>

#include "sim/parallel.h"
#include "sim/simd/leaf.h"
#include "sim/simd/rows.h"

namespace firn {

class NodeVector {
public:
    /// All zero.
    void resize(std::size_t leaves) { m_values.assign(leaves * floatsPerLeaf, 0.f); }
    float* leaf(std::size_t i) { return m_values.data() + i * floatsPerLeaf; }
    const float* leaf(std::size_t i) const { return m_values.data() + i * floatsPerLeaf; }
    std::size_t leaves() const { return m_values.size() / floatsPerLeaf; }
    std::size_t bytes() const { return m_values.capacity() * sizeof(float); }

private:
    std::vector<float> m_values;
};

/// Calls f(leaf) -> std::array<double, N> for every leaf in parallel and adds the results in the order of the leaves.
template <std::size_t N, class F>
std::array<double, N> sumOverLeaves(std::size_t leaves, const F& f)
{
    std::vector<std::array<double, N>> parts(leaves);
    parallelFor(leaves, [&](std::size_t i) { parts[i] = f(i); });
    std::array<double, N> total{};
    for (const auto& part : parts)
        for (std::size_t k = 0; k < N; ++k) total[k] += part[k];
    return total;
}

/// Dot product over one leaf.
inline double dotLeaf(const float* a, const float* b)
{
    Row sum[4] = {};
    for (int k = 0; k < floatsPerLeaf; k += 64)
        for (int j = 0; j < 4; ++j) sum[j] += loadRow(a + k + 16 * j) * loadRow(b + k + 16 * j);
    const Four s = sumNodes((sum[0] + sum[1]) + (sum[2] + sum[3]));
    return (static_cast<double>(s[0]) + s[1]) + (static_cast<double>(s[2]) + s[3]);
}

}  // namespace firn
