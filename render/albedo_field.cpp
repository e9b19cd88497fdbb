#include "render/albedo_field.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "render/density.h"
#include "render/density_volume.h"

namespace firn {

namespace {

/// Sums of extinction, and of extinction times albedo.
struct Sums {
    DensityGrid extinction;
    std::array<DensityGrid, 3> scattering;

    Sums(const ParticleFrame& particles, std::span<const SnowOptics> optics, double voxel_m)
    {
        ParticleFrame amounts;
        amounts.position_m = particles.position_m;
        amounts.id = particles.id;
        amounts.mass_kg.resize(particles.size());
        const std::vector<float> widths_m(particles.size(), static_cast<float>(voxel_m));
        const auto sum = [&](const auto& perExtinction) {
            for (std::size_t i = 0; i < particles.size(); ++i) {
                const SnowOptics& of = opticsOfParticle(optics, particles, i);
                amounts.mass_kg[i] =
                    static_cast<float>(particles.mass_kg[i] * of.extinction_m2_per_kg * perExtinction(of));
            }
            return rasterize(amounts, voxel_m, widths_m);
        };
        extinction = sum([](const SnowOptics&) { return 1.0; });
        for (std::size_t c = 0; c < scattering.size(); ++c)
            scattering[c] = sum([c](const SnowOptics& of) { return of.albedo[static_cast<Eigen::Index>(c)]; });
    }
};

/// A channel of the albedo at the values of a brick: scattering over extinction, and their mean where nothing is.
float divide(const Bricks::Values& scattering, const Bricks::Values& extinction, Bricks::Values& albedo)
{
    float sum = 0, weight = 0;
    for (std::size_t i = 0; i < albedo.size(); ++i) {
        sum += scattering[i];
        weight += extinction[i];
    }
    const float mean = sum / weight;
    for (std::size_t i = 0; i < albedo.size(); ++i)
        albedo[i] = extinction[i] > 0 ? std::min(1.0f, scattering[i] / extinction[i]) : mean;
    return mean;
}

}  // namespace

const SnowOptics& opticsOfParticle(std::span<const SnowOptics> optics, const ParticleFrame& particles, std::size_t i)
{
    return optics[std::min<std::size_t>(particles.material[i], optics.size() - 1)];
}

AlbedoField::AlbedoField(const ParticleFrame& particles, std::span<const SnowOptics> optics, double voxel_m)
    : m_voxelsPerMetre(static_cast<float>(1 / voxel_m))
{
    const Sums sums(particles, optics, voxel_m);
    const std::vector<LeafKey> keys = candidateBricks(sums.extinction);
    std::vector<Table> tables(keys.size());
    std::vector<char> isFilled(keys.size()), isMixed(keys.size());
    m_blocks.resize(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t b) {
        Bricks::Values extinction, scattering;
        const Vec3i leaf = leafOfKey(keys[b]);
        isFilled[b] = fillBrick(sums.extinction, leaf, 1, extinction);
        if (!isFilled[b]) return;
        for (std::size_t c = 0; c < 3; ++c) {
            Bricks::Values& albedo = tables[b][c];
            fillBrick(sums.scattering[c], leaf, 1, scattering);
            m_blocks[b].mean[static_cast<Eigen::Index>(c)] = divide(scattering, extinction, albedo);
            const auto [least, most] = std::minmax_element(albedo.begin(), albedo.end());
            constexpr float even = 1e-5f;
            isMixed[b] |= *most - *least > even * (1 - *least);
        }
    });

    Vec3i low = Vec3i::Constant(INT32_MAX), high = Vec3i::Constant(INT32_MIN);
    for (const LeafKey key : keys) {
        low = low.cwiseMin(leafOfKey(key));
        high = high.cwiseMax(leafOfKey(key));
    }
    m_corner = low;
    m_index = SparseIndex(high - low + Vec3i::Ones());
    Vec3f sum = Vec3f::Zero();
    float count = 0;
    for (std::size_t b = 0; b < keys.size(); ++b) {
        if (!isFilled[b]) continue;
        m_index.set(leafOfKey(keys[b]) - low, static_cast<std::int32_t>(b));
        sum += m_blocks[b].mean;
        ++count;
        if (!isMixed[b]) continue;
        m_blocks[b].table = static_cast<std::int32_t>(m_tables.size());
        m_tables.push_back(tables[b]);
    }
    if (count > 0) m_mean = sum / count;
    for (const SnowOptics& of : optics) m_least = m_least.cwiseMin(of.albedo.cast<float>());
}

Vec3f AlbedoField::at(const Vec3f& point_m) const
{
    const Vec3f p = point_m * m_voxelsPerMetre;
    const Vec3i leaf = (p / Bricks::cells).array().floor().cast<int>();
    const std::int32_t number = m_index.at(leaf - m_corner);
    if (number < 0) return m_mean;
    const Block& block = m_blocks[static_cast<std::size_t>(number)];
    if (block.table < 0) return block.mean;
    const Table& table = m_tables[static_cast<std::size_t>(block.table)];
    const Float4 local = float4(p - (leaf * Bricks::cells).cast<float>(), 0);
    return {Bricks::interpolate(table[0].data(), local), Bricks::interpolate(table[1].data(), local),
            Bricks::interpolate(table[2].data(), local)};
}

}  // namespace firn
