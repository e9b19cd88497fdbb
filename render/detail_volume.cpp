#include "render/detail_volume.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>

#include "render/brick_maker.h"
#include "render/density_volume.h"
#include "render/detail_plan.h"
#include "render/kernel_sums.h"
#include "render/snow_pieces.h"

namespace firn {

namespace {

/// Of a brick with its majorants, and of the table of one light's shadow roulette.
constexpr std::size_t bytesPerBrick = sizeof(Bricks::Values) + 64 * sizeof(float) + 125 * sizeof(float) + 16;

/// The share of space that the chosen grains occupy.
DensityGrid occupiedShare(const std::vector<Grain>& grains, const std::vector<std::uint32_t>& chosen, double voxel_m)
{
    std::vector<float> volumes(chosen.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) volumes[i] = grains[chosen[i]].volume_m3;
    const auto kernelOf = [&](std::size_t i) {
        const Grain& grain = grains[chosen[i]];
        return Kernel{grain.position, grain.width_m};
    };
    return KernelSums(chosen.size(), kernelOf, voxel_m).of(volumes);
}

/// Of the bricks that may hold something, ascending.
std::vector<LeafKey> candidates(std::initializer_list<const DensityGrid*> grids)
{
    std::vector<LeafKey> keys;
    for (const DensityGrid* grid : grids) {
        std::vector<LeafKey> both;
        std::ranges::set_union(keys, candidateBricks(*grid), std::back_inserter(both));
        keys = std::move(both);
    }
    return keys;
}

/// Keys of the bricks that may hold snow.
std::vector<LeafKey> bricksWithSnow(const DensityGrid& density, const DensityGrid& occupied, const DensityGrid& lone,
                                    const DensityGrid& mist)
{
    const std::vector<LeafKey> keys = candidates({&density, &lone, &mist});
    std::vector<char> isKept(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) {
        Bricks::Values ofAll, ofFragments, ofMist;
        fillBrick(occupied, leafOfKey(keys[i]), 1, ofAll);
        fillBrick(lone, leafOfKey(keys[i]), 1, ofFragments);
        isKept[i] =
            mayHoldSnow(ofAll, ofFragments) || (fillBrick(mist, leafOfKey(keys[i]), 1, ofMist) && hasMist(ofMist));
    });
    std::vector<LeafKey> kept;
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (isKept[i]) kept.push_back(keys[i]);
    return kept;
}

std::vector<HomeBrick> makeHomes(const DensityGrid& density, const std::vector<Grain>& grains, const DensityGrid& mist)
{
    std::vector<std::uint32_t> all(grains.size()), fragments;
    std::iota(all.begin(), all.end(), 0u);
    for (const std::uint32_t i : all)
        if (grains[i].is_fragment) fragments.push_back(i);
    const DensityGrid occupied = occupiedShare(grains, all, density.voxel_m);
    const DensityGrid lone = occupiedShare(grains, fragments, density.voxel_m);
    const std::vector<LeafKey> keys = bricksWithSnow(density, occupied, lone, mist);
    std::vector<HomeBrick> homes(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) {
        HomeBrick& home = homes[i];
        home.leaf = leafOfKey(keys[i]);
        fillBrick(density, home.leaf, 1, home.density);
        fillBrick(occupied, home.leaf, 1, home.occupied);
        for (std::size_t k = 0; k < home.density.size(); ++k)
            home.density[k] /= std::clamp(home.occupied[k], 0.5f, 1.0f);
        Bricks::Values ofFragments;
        fillBrick(lone, home.leaf, 1, ofFragments);
        if (hasFragments(ofFragments)) home.lone = std::make_unique<const Bricks::Values>(ofFragments);
        Bricks::Values ofMist;
        if (fillBrick(mist, home.leaf, 1, ofMist)) home.mist = std::make_unique<const Bricks::Values>(ofMist);
    });
    return homes;
}

/// Calls visit(begin, end) for the bricks of each home, in parallel.
template <class Visit>
void forHomes(const std::vector<BrickPlan>& bricks, const Visit& visit)
{
    std::vector<std::size_t> firsts;
    for (std::size_t i = 0; i < bricks.size(); ++i)
        if (i == 0 || bricks[i].home != bricks[i - 1].home) firsts.push_back(i);
    firsts.push_back(bricks.size());
    tbb::parallel_for(std::size_t{1}, firsts.size(), [&](std::size_t f) { visit(firsts[f - 1], firsts[f]); });
}

Vec3i leastLeaf(const std::vector<HomeBrick>& homes)
{
    Vec3i least = homes.empty() ? Vec3i::Zero().eval() : homes.front().leaf;
    for (const HomeBrick& home : homes) least = least.cwiseMin(home.leaf);
    return least;
}

}  // namespace

std::size_t DetailVolume::bytes() const { return volume.bricks().bricks.size() * bytesPerBrick; }

DetailVolume detailVolume(DetailedSnow snow, const DensitySettings& settings, double extinctionPerDensity,
                          const PlacedCamera& camera, const DetailSettings& detail)
{
    const double voxel_m = settings.voxel_m;
    std::vector<Grain> grains =
        grainsOf(snow.particles, snow.history, {std::move(snow.reliefs), std::move(snow.mist.share), snow.surfaces});
    const DensityGrid density = rasterizeDensity(snow.particles, snow.history.surroundings, settings);
    std::vector<SnowPiece> pieces = piecesOf(snow.particles, snow.history.rest);
    snow.particles = {};
    snow.history = {};
    const std::vector<HomeBrick> homes = makeHomes(density, grains, snow.mist.density);
    const SnowParts parts(std::move(grains), std::move(pieces), voxel_m);

    constexpr double coarser = 1.25, coarsest = 1000;  // pixels
    double voxelPixels = detail.voxel_pixels;
    std::vector<BrickPlan> plans;
    for (;; voxelPixels *= coarser) {
        plans = DetailPlan(homes, voxel_m, camera, voxelPixels).bricks();
        if (plans.size() * bytesPerBrick <= detail.most_bytes || voxelPixels > coarsest) break;
    }
    const DetailPlan plan(homes, voxel_m, camera, voxelPixels);

    Bricks bricks;
    bricks.bricks.resize(plans.size());
    std::vector<char> isFilled(plans.size());
    const auto scale = static_cast<float>(extinctionPerDensity * plan.finestVoxel_m());
    forHomes(plans, [&](std::size_t begin, std::size_t end) {
        const auto maker = std::make_unique<BrickMaker>(homes, parts, plan, voxel_m, camera);
        for (std::size_t i = begin; i < end; ++i) {
            isFilled[i] = maker->make(plans[i], bricks.bricks[i]);
            for (float& value : bricks.bricks[i]) value *= scale;
        }
    });

    const Vec3i corner = leastLeaf(homes);
    std::size_t count = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!isFilled[i]) continue;
        const Vec3i home = homes[plans[i].home].leaf - corner;
        bricks.origins.emplace_back(home * (Bricks::cells << plan.levels()) + plans[i].corner);
        bricks.levels.push_back(static_cast<std::uint8_t>(plans[i].level));
        if (count != i) bricks.bricks[count] = bricks.bricks[i];
        ++count;
    }
    bricks.bricks.resize(count);
    indexBricks(bricks, 1);
    const Vec3d origin = (corner * Bricks::cells).cast<double>() * voxel_m;
    return {Volume(std::move(bricks), origin, plan.finestVoxel_m()), voxelPixels};
}

}  // namespace firn
