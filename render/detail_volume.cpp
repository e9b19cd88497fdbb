#include "render/detail_volume.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "render/cube.h"
#include "render/density_volume.h"
#include "render/detail_plan.h"
#include "render/grain_lattice.h"
#include "render/kernel_sums.h"
#include "render/place_table.h"
#include "render/snow_pieces.h"
#include "render/snow_surface.h"

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

/// Keys of the bricks that may hold snow.
std::vector<LeafKey> bricksWithSnow(const DensityGrid& density, const DensityGrid& occupied, const DensityGrid& lone)
{
    const std::vector<LeafKey> keys = candidateBricks(density);
    std::vector<char> isKept(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) {
        Bricks::Values ofAll, ofFragments;
        fillBrick(occupied, leafOfKey(keys[i]), 1, ofAll);
        fillBrick(lone, leafOfKey(keys[i]), 1, ofFragments);
        isKept[i] = mayHoldSnow(ofAll, ofFragments);
    });
    std::vector<LeafKey> kept;
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (isKept[i]) kept.push_back(keys[i]);
    return kept;
}

std::vector<HomeBrick> makeHomes(const DensityGrid& density, const std::vector<Grain>& grains)
{
    std::vector<std::uint32_t> all(grains.size()), fragments;
    std::iota(all.begin(), all.end(), 0u);
    for (const std::uint32_t i : all)
        if (grains[i].is_fragment) fragments.push_back(i);
    const DensityGrid occupied = occupiedShare(grains, all, density.voxel_m);
    const DensityGrid lone = occupiedShare(grains, fragments, density.voxel_m);
    const std::vector<LeafKey> keys = bricksWithSnow(density, occupied, lone);
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
    });
    return homes;
}

/// Snow as bricks are made of it.
struct SnowParts {
    GrainLattice lattice;
    PlaceTable<Grain> grains;  // that the lattice does not hold
    PlaceTable<SnowPiece> pieces;

    SnowParts(std::vector<Grain> all, std::vector<SnowPiece> ofSnow, double voxel_m)
        : lattice(all, voxel_m),
          grains(without(std::move(all), voxel_m), Bricks::cells * voxel_m),
          pieces(std::move(ofSnow), Bricks::cells * voxel_m)
    {
    }

private:
    static std::vector<Grain> without(std::vector<Grain> grains, double voxel_m)
    {
        std::erase_if(grains, [&](const Grain& grain) { return GrainLattice::holds(grain, voxel_m); });
        grains.shrink_to_fit();
        return grains;
    }
};

/// Makes the bricks of one home after another.
class BrickMaker {
public:
    BrickMaker(const std::vector<HomeBrick>& homes, const SnowParts& snow, const DetailPlan& plan, double voxel_m,
               const PinholeCamera& camera)
        : m_homes(homes), m_snow(snow), m_camera(camera), m_voxel_m(voxel_m), m_units(1 << plan.levels())
    {
    }

    /// Density (kg/m^3) of a brick. False if it is zero.
    bool make(const BrickPlan& brick, Bricks::Values& values)
    {
        if (brick.is_surface) return makeSurface(brick, values);
        constexpr int n = Bricks::values;
        const HomeBrick& home = m_homes[brick.home];
        for (int i = 0; i < n * n * n; ++i) {
            const Vec3i unit = brick.corner + cubeCoordinates(i, n) * (1 << brick.level);
            const Vec3f place = unit.cast<float>() / static_cast<float>(m_units);
            values[static_cast<std::size_t>(i)] = Bricks::interpolate(home.density.data(), float4(place, 0));
        }
        return true;
    }

private:
    bool makeSurface(const BrickPlan& brick, Bricks::Values& values)
    {
        if (m_home != static_cast<std::ptrdiff_t>(brick.home)) enterHome(brick.home);
        const double unit = m_voxel_m / m_units, spacing = unit * (1 << brick.level);
        const Vec3d low = m_homeCorner + brick.corner.cast<double>() * unit;
        const Vec3d high = low + Vec3d::Constant(Bricks::cells * spacing), middle = 0.5 * (low + high);
        m_grainsHere.clear();
        for (const Grain& grain : m_homeGrains)
            if (PlaceTable<Grain>::reaches(grain, low, high)) m_grainsHere.push_back(grain);
        if (!m_isInLattice && m_grainsHere.empty()) return false;

        const double pixel_m = m_camera.pixelAt(m_camera.distanceTo(middle));
        const ValuePlaces places{low, spacing, std::max(pixel_m, 0.7 * spacing)};
        sumFields(brick, places);
        m_piecesHere.clear();
        if (m_fields.isAnySheared()) {
            m_piecesHere = m_homePieces;
            keepNearest(middle, 0.5 * (high - low).norm(), m_piecesHere);
        }
        return snowDensity(m_fields, m_piecesHere, places, values);
    }

    void enterHome(std::size_t number)
    {
        m_home = static_cast<std::ptrdiff_t>(number);
        const double edge = Bricks::cells * m_voxel_m;
        m_homeCorner = m_homes[number].leaf.cast<double>() * edge;
        const Vec3d end = m_homeCorner + Vec3d::Constant(edge);
        m_snow.grains.find(m_homeCorner, end, m_homeGrains);
        m_snow.pieces.find(m_homeCorner, end, m_homePieces);
        m_isInLattice = m_snow.lattice.copy(m_homes[number].leaf, m_block);
    }

    void sumFields(const BrickPlan& brick, const ValuePlaces& places)
    {
        const float perUnit = 1 / static_cast<float>(m_units);
        if (m_isInLattice) {
            interpolate(m_block, brick.corner.cast<float>() * perUnit, static_cast<float>(1 << brick.level) * perUnit,
                        m_fields);
        } else {
            for (auto& rows : m_fields.rows) rows.fill(0);
        }
        addGrains(m_grainsHere, places, m_fields);
    }

    const std::vector<HomeBrick>& m_homes;
    const SnowParts& m_snow;
    const PinholeCamera& m_camera;
    double m_voxel_m;
    int m_units;  // of a voxel of the density grid, along an edge
    // Of the home:
    std::ptrdiff_t m_home = -1;
    Vec3d m_homeCorner = Vec3d::Zero();  // m
    std::vector<Grain> m_homeGrains;
    std::vector<SnowPiece> m_homePieces;
    bool m_isInLattice = false;
    GrainLattice::Block m_block;
    // Of the brick:
    std::vector<Grain> m_grainsHere;
    std::vector<SnowPiece> m_piecesHere;
    GrainFields m_fields;
};

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

DetailVolume detailVolume(SnowParticles particles, SnowHistory history, const DensitySettings& settings,
                          double extinctionPerDensity, const PinholeCamera& camera, const DetailSettings& detail)
{
    const double voxel_m = settings.voxel_m;
    std::vector<Grain> grains = grainsOf(particles, history);
    const DensityGrid density = rasterizeDensity(particles, history.surroundings, settings);
    std::vector<SnowPiece> pieces = piecesOf(particles, history.rest);
    particles = {};
    history = {};
    const std::vector<HomeBrick> homes = makeHomes(density, grains);
    const SnowParts snow(std::move(grains), std::move(pieces), voxel_m);

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
        const auto maker = std::make_unique<BrickMaker>(homes, snow, plan, voxel_m, camera);
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
