#include "render/mist.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/mix_bits.h"
#include "render/albedo_field.h"
#include "render/flight.h"
#include "render/grains.h"
#include "render/kernel_sums.h"
#include "render/lane_noise.h"
#include "render/random_offset.h"

namespace firn {

namespace {

constexpr int puffs = 6;  // of a particle, one behind the other
// Width of the kernel of a puff and distance from its path, over the particle's size: of the first puff, and how much
// more the last one has.
constexpr float width = 1.1f, widening = 1.4f, distance = 0.7f, spreading = 1.6f;
// Snow breaks up more finely in some places than in others.
constexpr float clump_m = 0.05f, clumping = 2.8f, leastFine = 0.1f;

/// The share of its region's mist that snow gives if it lay at this place at rest, 0 to 1.
float finenessAt(const Vec3f& rest_m)
{
    const Vec3f at = rest_m / clump_m;
    const Floats noise = gradientNoise(at.x() + Floats{}, at.y() + Floats{}, at.z() + Floats{}, 23);
    return std::clamp(0.62f + clumping * noise[0], leastFine, 1.0f);
}

// Coarse particles stand for whole crumbs: mist is that of particles of at most this size, and as dense.
constexpr float largest_m = 0.019f;

float sizeOf(const SnowParticles& particles, std::size_t i)
{
    return std::min(std::cbrt(particles.volume0_m3[i]), largest_m);
}

/// The share of a particle's volume that is not more than that of the largest size.
float shareOfSize(const SnowParticles& particles, std::size_t i)
{
    return std::min(1.0f, largest_m * largest_m * largest_m / particles.volume0_m3[i]);
}

/// Which part of the mist of a particle each of its puffs has. They sum up to 1.
std::array<float, puffs> partsOf(std::uint32_t id)
{
    std::array<float, puffs> parts;
    float sum = 0;
    for (std::size_t k = 0; k < puffs; ++k) {
        const float random = randomOffset(mixBits(id + (std::uint64_t{1} << 41)) + k).x();
        parts[k] = 0.4f + random * random;
        sum += parts[k];
    }
    for (float& part : parts) part /= sum;
    return parts;
}

/// Puff k of a particle. Where a body is before its place, it stays before the body.
Kernel puffOf(const SnowParticles& particles, std::size_t i, int k, const Surfaces* surfaces)
{
    const float size = sizeOf(particles, i);
    const std::uint64_t key = mixBits(particles.id[i] + (std::uint64_t{1} << 40)) + static_cast<std::uint64_t>(k);
    const Vec3f offset = randomOffset(key);
    const float late = (static_cast<float>(k) + 0.5f + 0.5f * offset.x()) / puffs;  // 0 to 1
    const Vec3f from = -late * grainLag_s * particles.velocity_m_s[i] + (distance + late * spreading) * size * offset;
    const Vec3f seen = offsetUpToSurface(particles.position_m[i], from, surfaces);
    return {particles.position_m[i] + seen.cast<double>(), (width + late * widening) * size};
}

std::vector<float> sharesOf(const SnowParticles& particles, const SnowHistory& history,
                            std::span<const SnowOptics> optics)
{
    if (std::ranges::all_of(optics, [](const SnowOptics& of) { return of.mist == 0; })) return {};
    std::vector<float> shares(particles.size());
    tbb::parallel_for(std::size_t{0}, shares.size(), [&](std::size_t i) {
        const auto most = static_cast<float>(opticsOfParticle(optics, particles, i).mist);
        if (most == 0) return;
        const float share = most * lonenessOf(history, i) * flightOf(particles.velocity_m_s[i].norm());
        if (share > 0) shares[i] = share * shareOfSize(particles, i) * finenessAt(history.rest.place_m[i]);
    });
    return shares;
}

DensityGrid densityOf(const SnowParticles& particles, const std::vector<float>& shares, const Surfaces* surfaces,
                      double voxel_m)
{
    std::vector<std::uint32_t> chosen;
    for (std::size_t i = 0; i < shares.size(); ++i)
        if (shares[i] > 0) chosen.push_back(static_cast<std::uint32_t>(i));
    std::vector<float> masses(puffs * chosen.size());
    std::vector<Kernel> kernels(masses.size());
    tbb::parallel_for(std::size_t{0}, chosen.size(), [&](std::size_t c) {
        const std::uint32_t i = chosen[c];
        const std::array<float, puffs> parts = partsOf(particles.id[i]);
        for (std::size_t k = 0; k < puffs; ++k) {
            masses[puffs * c + k] = parts[k] * shares[i] * particles.mass_kg[i];
            kernels[puffs * c + k] = puffOf(particles, i, static_cast<int>(k), surfaces);
        }
    });
    return KernelSums(
               kernels.size(), [&](std::size_t k) { return kernels[k]; }, voxel_m)
        .of(masses);
}

}  // namespace

Mist mistOf(const SnowParticles& particles, const SnowHistory& history, std::span<const SnowOptics> optics,
            const Surfaces* surfaces, double voxel_m)
{
    Mist mist;
    mist.share = sharesOf(particles, history, optics);
    mist.density = densityOf(particles, mist.share, surfaces, voxel_m);
    return mist;
}

}  // namespace firn
