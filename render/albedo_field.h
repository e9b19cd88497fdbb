#pragma once
// Single-scattering albedo where snow of several looks mixes: a(x) = sum(E a N(x)) / sum(E N(x)) over the particles,
// with E a particle's cross-section of extinction (m^2) and N the kernel of density.h, two voxels wide to each side.

#include <array>
#include <span>
#include <vector>

#include "common/cache/particle_frame.h"
#include "render/bricks.h"
#include "render/snow_optics.h"
#include "render/sparse_index.h"

namespace firn {

class AlbedoField {
public:
    /// `optics`: of each region of snow. Throws as rasterizeDensity does.
    AlbedoField(const ParticleFrame& particles, std::span<const SnowOptics> optics, double voxel_m);

    /// Linear Rec. 709, at a point in metres. Where no snow is near, the mean of all snow.
    Vec3f at(const Vec3f& point_m) const;

    /// The least of each channel.
    const Vec3f& least() const { return m_least; }

private:
    using Table = std::array<Bricks::Values, 3>;  // of red, green and blue
    struct Block {
        Vec3f mean = Vec3f::Zero();
        std::int32_t table = -1;  // none where the albedo is the mean everywhere
    };

    float m_voxelsPerMetre;
    Vec3i m_corner = Vec3i::Zero();  // of the index, in blocks of 8^3 voxels
    SparseIndex m_index;
    std::vector<Block> m_blocks;
    std::vector<Table> m_tables;
    Vec3f m_mean = Vec3f::Ones(), m_least = Vec3f::Ones();
};

/// The region's, for a particle's `material`; of the last region for numbers that the scene does not have.
const SnowOptics& opticsOfParticle(std::span<const SnowOptics> optics, const ParticleFrame& particles, std::size_t i);

}  // namespace firn
