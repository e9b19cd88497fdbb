#include "render/mean_field.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "render/density.h"
#include "render/density_volume.h"

namespace firn {

namespace {

/// Sums of weights, and of weights times each component.
struct Sums {
    DensityGrid weight;
    std::array<DensityGrid, 3> component;

    Sums(const ParticleFrame& particles, const std::vector<float>& weights, const std::vector<Vec3f>& vectors,
         double voxel_m)
    {
        ParticleFrame amounts;
        amounts.position_m = particles.position_m;
        amounts.id = particles.id;
        amounts.mass_kg = weights;
        const std::vector<float> widths_m(particles.size(), static_cast<float>(voxel_m));
        weight = rasterize(amounts, voxel_m, widths_m);
        for (std::size_t c = 0; c < component.size(); ++c) {
            for (std::size_t i = 0; i < particles.size(); ++i)
                amounts.mass_kg[i] = weights[i] * vectors[i][static_cast<Eigen::Index>(c)];
            component[c] = rasterize(amounts, voxel_m, widths_m);
        }
    }
};

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

MeanField::MeanField(const ParticleFrame& particles, const std::vector<float>& weights,
                     const std::vector<Vec3f>& vectors, double voxel_m)
    : m_voxelsPerMetre(static_cast<float>(1 / voxel_m))
{
    const Sums sums(particles, weights, vectors, voxel_m);
    const std::vector<LeafKey> keys = candidateBricks(sums.weight);
    std::vector<Table> tables(keys.size());
    std::vector<char> isFilled(keys.size()), isMixed(keys.size());
    m_blocks.resize(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t b) {
        Bricks::Values weight;
        const Vec3i leaf = leafOfKey(keys[b]);
        isFilled[b] = fillBrick(sums.weight, leaf, 1, weight);
        for (std::size_t c = 0; c < 3 && isFilled[b]; ++c) {
            copyBrick(sums.component[c], leaf, tables[b][c]);
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
