#include "render/powder_density.h"

#include <algorithm>
#include <cmath>

#include "render/kernel_sums.h"

namespace firn {

namespace {

constexpr float kernelWidth = 0.8f;  // of a puff's radius: with it, the kernel spreads as far as an even ball
constexpr int leastVoxels = 4;       // of the grid, in the radius of a puff
constexpr int mostLevels = 12;

/// How many times coarser than the finest grid the grid of a puff is, as a power of 2.
int levelOf(float radius_m, double voxel_m)
{
    return std::clamp(std::ilogb(static_cast<double>(radius_m) / (leastVoxels * voxel_m)), 0, mostLevels);
}

DensityGrid sumOf(const PowderPuffs& powder, std::span<const std::uint32_t> rows, std::span<const SnowOptics> optics,
                  double voxel_m)
{
    std::vector<float> masses(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::uint32_t i = rows[k];
        const double opacity = optics[std::min<std::size_t>(powder.material[i], optics.size() - 1)].powder_m2_per_kg /
                               optics.front().extinction_m2_per_kg;
        masses[k] = static_cast<float>(powder.mass_kg[i] * opacity);
    }
    const auto kernelOf = [&](std::size_t k) {
        return Kernel{powder.position_m[rows[k]], kernelWidth * powder.radius_m[rows[k]]};
    };
    return KernelSums(rows.size(), kernelOf, voxel_m).of(masses);
}

}  // namespace

DensityGrid powderDensity(const PowderPuffs& powder, std::span<const SnowOptics> optics, double voxel_m)
{
    std::vector<std::vector<std::uint32_t>> rows(mostLevels + 1);
    for (std::size_t i = 0; i < powder.size(); ++i)
        rows[static_cast<std::size_t>(levelOf(powder.radius_m[i], voxel_m))].push_back(static_cast<std::uint32_t>(i));
    DensityGrid sum;
    sum.voxel_m = std::ldexp(voxel_m, mostLevels);
    for (int level = mostLevels; level >= 0; --level) {
        const double voxel = std::ldexp(voxel_m, level);
        if (level < mostLevels) sum = halved(sum);
        if (const auto& own = rows[static_cast<std::size_t>(level)]; !own.empty())
            sum = added(sum, sumOf(powder, own, optics, voxel));
    }
    return sum;
}

}  // namespace firn
