#include "render/density.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "render/kernel_sums.h"

namespace firn {

namespace {

double stretchOf(const SnowParticles& particles, std::size_t i, const DensitySettings& settings)
{
    return std::clamp(static_cast<double>(particles.stretch[i]), settings.min_stretch, settings.max_stretch);
}

double sizeOf(const SnowParticles& particles, std::size_t i)
{
    return std::cbrt(static_cast<double>(particles.volume0_m3[i]));
}

/// f(i) of each particle.
template <class F>
std::vector<float> ofEach(const SnowParticles& particles, const F& f)
{
    std::vector<float> result(particles.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, result.size(), 4096), [&](const auto& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) result[i] = static_cast<float>(f(i));
    });
    return result;
}

}  // namespace

std::vector<float> surroundingsOf(const SnowParticles& particles, const DensitySettings& settings)
{
    double largest = settings.voxel_m / settings.bulk_scale;
    for (std::size_t i = 0; i < particles.size(); ++i) largest = std::max(largest, sizeOf(particles, i));
    const auto bulkKernel = [&](std::size_t i) {
        return Kernel{particles.position_m[i], static_cast<float>(settings.bulk_scale * sizeOf(particles, i))};
    };
    const DensityGrid around =
        KernelSums(particles.size(), bulkKernel, settings.bulk_scale * largest).of(particles.volume0_m3);
    const double voxelsPerMetre = 1 / around.voxel_m;
    return ofEach(particles, [&](std::size_t i) {
        const double initial = around.interpolate(particles.position_m[i] * voxelsPerMetre);
        return initial * stretchOf(particles, i, settings);
    });
}

DensityGrid rasterizeDensity(const SnowParticles& particles, const std::vector<float>& surroundings,
                             const DensitySettings& settings)
{
    const auto kernelOf = [&](std::size_t i) {
        const double bulkScale = settings.bulk_scale * std::cbrt(stretchOf(particles, i, settings));
        const double full = std::clamp(
            (static_cast<double>(surroundings[i]) - settings.alone) / (settings.bulk - settings.alone), 0.0, 1.0);
        const double scale = settings.isolated_scale + full * (bulkScale - settings.isolated_scale);
        return Kernel{particles.position_m[i], static_cast<float>(sizeOf(particles, i) * scale)};
    };
    return KernelSums(particles.size(), kernelOf, settings.voxel_m).of(particles.mass_kg);
}

DensityGrid rasterizeDensity(const SnowParticles& particles, const DensitySettings& settings)
{
    return rasterizeDensity(particles, surroundingsOf(particles, settings), settings);
}

}  // namespace firn
