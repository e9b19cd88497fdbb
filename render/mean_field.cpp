#include "render/mean_field.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "render/density_volume.h"
#include "render/kernel_sums.h"

namespace firn {

namespace {

/// Sums of weights, and of weights times each component.
std::array<DensityGrid, 4> sumsOf(const SnowParticles& particles, const std::vector<float>& weights,
                                  const std::vector<Vec3f>& vectors, double voxel_m)
{
    const auto kernelOf = [&](std::size_t i) { return Kernel{particles.position_m[i], static_cast<float>(voxel_m)}; };
    const auto amountsOf = [&](std::size_t i, float* amounts) {
        amounts[0] = weights[i];
        for (Eigen::Index c = 0; c < 3; ++c) amounts[1 + c] = weights[i] * vectors[i][c];
    };
    const SumGrids sums = KernelSums(particles.size(), kernelOf, voxel_m).of(4, amountsOf);
    std::array<DensityGrid, 4> grids;
    for (std::size_t s = 0; s < grids.size(); ++s) {
        grids[s] = {voxel_m, sums.keys, {}};
        grids[s].leaves.reserve(sums.keys.size());
        for (std::size_t i = 0; i < sums.keys.size(); ++i) grids[s].leaves.push_back(sums.at(i)[s]);
    }
    return grids;
}

/// Turns sums of a component into means, and returns the mean of the block, which values without particles get.
float divide(Bricks::Values& values, const Bricks::Values& weights)
{
    float sum = 0, weight = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        sum += values[i];
        weight += weights[i];
    }
    const float mean = sum / weight;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = weights[i] > 0 ? values[i] / weights[i] : mean;
    return mean;
}

/// Whether the values are the same up to rounding.
bool isEven(const Bricks::Values& values)
{
    constexpr float rounding = 1e-6f;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *most - *least <= rounding * std::max(std::abs(*least), std::abs(*most));
}

}  // namespace

MeanField::MeanField(const SnowParticles& particles, const std::vector<float>& weights,
                     const std::vector<Vec3f>& vectors, double voxel_m)
    : m_voxelsPerMetre(static_cast<float>(1 / voxel_m))
{
    const std::array<DensityGrid, 4> sums = sumsOf(particles, weights, vectors, voxel_m);
    const std::vector<LeafKey> keys = candidateBricks(sums.front());
    std::vector<Table> tables(keys.size());
    std::vector<char> isFilled(keys.size()), isMixed(keys.size());
    m_blocks.resize(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t b) {
        Bricks::Values weight;
        const Vec3i leaf = leafOfKey(keys[b]);
        isFilled[b] = fillBrick(sums.front(), leaf, 1, weight);
        for (std::size_t c = 0; c < 3 && isFilled[b]; ++c) {
            copyBrick(sums[1 + c], leaf, tables[b][c]);
            m_blocks[b].mean[static_cast<Eigen::Index>(c)] = divide(tables[b][c], weight);
            isMixed[b] |= !isEven(tables[b][c]);
        }
    });

    Vec3i low = Vec3i::Constant(leafKeyLimit), high = Vec3i::Constant(-leafKeyLimit);
    for (const LeafKey key : keys) {
        low = low.cwiseMin(leafOfKey(key));
        high = high.cwiseMax(leafOfKey(key));
    }
    if (keys.empty()) return;
    m_corner = low;
    m_index = SparseIndex(high - low + Vec3i::Ones());
    for (std::size_t b = 0; b < keys.size(); ++b) {
        if (!isFilled[b]) continue;
        m_index.set(leafOfKey(keys[b]) - low, static_cast<std::int32_t>(b));
        if (!isMixed[b]) continue;
        m_blocks[b].table = static_cast<std::int32_t>(m_tables.size());
        m_tables.push_back(tables[b]);
    }
}

Vec3f MeanField::at(const Vec3f& point_m, const Vec3f& otherwise) const
{
    const Vec3f p = point_m * m_voxelsPerMetre;
    const Vec3i leaf = (p / Bricks::cells).array().floor().cast<int>();
    const std::int32_t number = m_index.at(leaf - m_corner);
    if (number < 0) return otherwise;
    const Block& block = m_blocks[static_cast<std::size_t>(number)];
    if (block.table < 0) return block.mean;
    const Table& table = m_tables[static_cast<std::size_t>(block.table)];
    const Float4 local = float4(p - (leaf * Bricks::cells).cast<float>(), 0);
    return {Bricks::interpolate(table[0].data(), local), Bricks::interpolate(table[1].data(), local),
            Bricks::interpolate(table[2].data(), local)};
}

}  // namespace firn
