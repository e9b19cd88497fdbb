#include "render/albedo_field.h"

#include <algorithm>

namespace firn {

namespace {

MeanField meanFieldOf(const SnowParticles& particles, std::span<const SnowOptics> optics, double voxel_m)
{
    std::vector<float> extinctions(particles.size());  // m^2
    std::vector<Vec3f> albedos(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const SnowOptics& of = opticsOfParticle(optics, particles, i);
        extinctions[i] = static_cast<float>(static_cast<double>(particles.mass_kg[i]) * of.extinction_m2_per_kg);
        albedos[i] = of.albedo.cast<float>();
    }
    return {particles, extinctions, albedos, voxel_m};
}

}  // namespace

const SnowOptics& opticsOfParticle(std::span<const SnowOptics> optics, const SnowParticles& particles, std::size_t i)
{
    return optics[std::min<std::size_t>(particles.material[i], optics.size() - 1)];
}

AlbedoField::AlbedoField(const SnowParticles& particles, std::span<const SnowOptics> optics, double voxel_m)
    : m_field(meanFieldOf(particles, optics, voxel_m))
{
    for (const SnowOptics& of : optics) m_least = m_least.cwiseMin(of.albedo.cast<float>());
}

}  // namespace firn
