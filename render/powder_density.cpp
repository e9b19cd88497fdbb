#include "render/powder_density.h"

#include <algorithm>
#include <cmath>

#include "render/kernel_sums.h"
#include "render/powder_clouds.h"

namespace firn {

namespace {

constexpr float kernelWidth = 0.8f;  // of a ball's radius: with it, the kernel spreads as far as an even ball
constexpr int leastVoxels = 4;       // of the grid, in the radius of a cloud
constexpr int mostLevels = 12;

/// How many times coarser than the finest grid the grid of a cloud is, as a power of 2.
int levelOf(float radius_m, double voxel_m)
{
    return std::clamp(std::ilogb(static_cast<double>(radius_m) / (leastVoxels * voxel_m)), 0, mostLevels);
}

DensityGrid sumOf(std::span<const PowderCloud> clouds, double voxel_m)
{
    std::vector<float> masses(clouds.size());
    std::ranges::transform(clouds, masses.begin(), [](const PowderCloud& cloud) { return cloud.mass_kg; });
    const auto kernelOf = [&](std::size_t k) { return Kernel{clouds[k].position_m, kernelWidth * clouds[k].radius_m}; };
    return KernelSums(clouds.size(), kernelOf, voxel_m).of(masses);
}

}  // namespace

DensityGrid powderDensity(const PowderPuffs& powder, std::span<const SnowOptics> optics, double voxel_m)
{
    std::vector<std::vector<PowderCloud>> levels(mostLevels + 1);
    for (const PowderCloud& cloud : powderClouds(powder, optics))
        levels[static_cast<std::size_t>(levelOf(cloud.radius_m, voxel_m))].push_back(cloud);
    DensityGrid sum;
    sum.voxel_m = std::ldexp(voxel_m, mostLevels);
    for (int level = mostLevels; level >= 0; --level) {
        const double voxel = std::ldexp(voxel_m, level);
        if (level < mostLevels) sum = halved(sum);
        if (const auto& clouds = levels[static_cast<std::size_t>(level)]; !clouds.empty())
            sum = added(sum, sumOf(clouds, voxel));
    }
    return sum;
}

}  // namespace firn
