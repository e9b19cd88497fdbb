#include "sim/cli/region_sums.h"

#include <algorithm>
#include <numeric>

namespace firn {

std::vector<RegionSum> regionSums(const Scene& scene, const ParticleSource& particles)
{
    std::vector<RegionSum> sums;
    for (const SnowRegion& region : scene.snow) sums.push_back({region.name, region.preset, 0, 0, Box3d()});
    constexpr std::size_t pieceSize = 1 << 16;  // particles that are read at a time
    std::vector<std::uint32_t> rows;
    ParticleFrame piece;
    for (std::size_t first = 0; first < particles.count; first += rows.size()) {
        rows.resize(std::min(pieceSize, particles.count - first));
        std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
        particles.read(rows, piece);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            RegionSum& sum = sums[piece.material[i]];
            ++sum.particles;
            sum.mass_kg += static_cast<double>(piece.mass_kg[i]);
            sum.bounds.extend(piece.position_m[i]);
        }
    }
    std::erase_if(sums, [](const RegionSum& sum) { return sum.particles == 0; });
    return sums;
}

}  // namespace firn
