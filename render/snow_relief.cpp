#include "render/snow_relief.h"

namespace firn {

std::vector<SnowRelief> snowReliefs(const Scene& scene)
{
    std::vector<SnowRelief> reliefs;
    reliefs.reserve(scene.snow.size());
    for (const SnowRegion& region : scene.snow) {
        const SnowLook& look = region.look;
        reliefs.push_back({static_cast<float>(look.coarseness), static_cast<float>(look.rounding),
                           static_cast<float>(look.glaze), static_cast<float>(look.shards)});
    }
    return reliefs;
}

SnowRelief reliefOfParticle(const std::vector<SnowRelief>& reliefs, const SnowParticles& particles, std::size_t i)
{
    const std::size_t region = particles.material[i];
    return region < reliefs.size() ? reliefs[region] : SnowRelief();
}

}  // namespace firn
