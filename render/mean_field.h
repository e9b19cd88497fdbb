#pragma once
// The weighted mean of a vector over the particles around a point: sum(w v N(x)) / sum(w N(x)), with N the kernel of
// density.h, two voxels to each side.

#include <array>
#include <vector>

#include "render/bricks.h"
#include "render/snow_particles.h"
#include "render/sparse_index.h"

namespace firn {

class MeanField {
public:
    /// Weights (not negative, in any unit) and vectors of the particles. Throws as rasterizeDensity does.
    MeanField(const SnowParticles& particles, const std::vector<float>& weights, const std::vector<Vec3f>& vectors,
              double voxel_m);

    /// At a point in metres; `otherwise` where no particle is near.
    Vec3f at(const Vec3f& point_m, const Vec3f& otherwise) const;

    double voxel_m() const { return 1 / static_cast<double>(m_voxelsPerMetre); }

private:
    using Table = std::array<Bricks::Values, 3>;  // of the components
    struct Block {
        Vec3f mean = Vec3f::Zero();
        std::int32_t table = -1;  // none where the field is the mean everywhere
    };

    float m_voxelsPerMetre;
    Vec3i m_corner = Vec3i::Zero();  // of the index, in blocks of 8^3 voxels
    SparseIndex m_index;
    std::vector<Block> m_blocks;
    std::vector<Table> m_tables;
};

}  // namespace firn
