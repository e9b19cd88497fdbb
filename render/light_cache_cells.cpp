// The cells of the light cache: where camera paths end, and what is known of the snow there.

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "common/leaf_key.h"
#include "render/cube.h"
#include "render/light_cache.h"
#include "render/path_wave.h"
#include "render/snow_depth.h"
#include "render/tracking.h"
#include "render/wide_bricks.h"

namespace firn {

namespace {

constexpr std::uint32_t markingSample = 0x4d41524b;

}  // namespace

/// Chooses the edge of a cell: a share of the length over which light changes in snow (the diffusion length), between a
/// half and 7/8 of the end depth. Both in mean free paths of the extinction that most light meets. With edges as long
/// as the end depth, a half space of albedo .999 under a vertical sun was .6 % too dark.
void LightCache::chooseCells()
{
    const Bricks& bricks = m_scene.volume->bricks();
    double weight = 0, squares = 0;
    for (std::size_t b = 0; b < bricks.bricks.size(); ++b) {
        const double cell = std::ldexp(1.0, 3 * bricks.levels[b]);
        for (const float value : bricks.bricks[b]) {
            weight += cell * static_cast<double>(value);
            squares += cell * static_cast<double>(value) * static_cast<double>(value);
        }
    }
    const float voxel_m = m_scene.volume->voxelSize_m();
    m_freePath_m = squares > 0 ? voxel_m * static_cast<float>(weight / squares) : voxel_m;
    const float albedo = m_scene.medium.albedo.minCoeff();
    const float edge =
        std::clamp(0.25f * diffusionLength(albedo), 0.5f * m_settings.end_depth, 0.875f * m_settings.end_depth);
    const float cell_m = m_settings.cell_m > 0 ? static_cast<float>(m_settings.cell_m) : edge * m_freePath_m;
    m_cellUnits = cell_m / voxel_m;
    const Vec3i& end = bricks.cell_max;
    m_blocks = SparseIndex((end.cast<float>() / (blockCells * m_cellUnits)).array().ceil().cast<int>() + 1);
}

/// The length over which light falls by a factor of e far from its source, in mean free paths; infinity for albedo 1.
float LightCache::diffusionLength(float albedo) const
{
    return 1 / std::sqrt(3 * (1 - albedo) * (1 - albedo * m_scene.medium.g));
}

/// Traces some camera paths to where they end.
void LightCache::findEnds(const PlacedCamera& camera, const PixelWindow& window)
{
    constexpr int pathsAtOnce = 4096, least = 4 * pathsAtOnce, most = 256 * pathsAtOnce, pixelsPerPath = 4;
    const auto pixels = std::int64_t{window.width} * window.height;
    const auto paths = static_cast<int>(std::clamp<std::int64_t>(pixels / pixelsPerPath, least, most));
    const int parts = (paths + pathsAtOnce - 1) / pathsAtOnce;
    const Vec3f none = Vec3f::Constant(infinity);
    m_ends.assign(static_cast<std::size_t>(parts) * pathsAtOnce, none);
    tbb::parallel_for(0, parts,
                      [&](int part) { traceToEnds(camera, window, part * pathsAtOnce, (part + 1) * pathsAtOnce); });
    std::erase(m_ends, none);
}

void LightCache::traceToEnds(const PlacedCamera& camera, const PixelWindow& window, int first, int last)
{
    constexpr int waveSize = 512, longest = 64;  // longest: scatterings
    WaveOf<int> wave(m_scene, waveSize);         // with the numbers of the paths
    const SnowDepth snow(m_scene, m_settings.end_depth, 0);
    Column<float> depths(waveSize);
    std::vector<int> ends;
    for (int next = first;;) {
        for (; !wave.isFull() && next < last; ++next) {
            Sampler sampler(m_settings.seed, static_cast<std::uint32_t>(next), markingSample);
            const Vec2f u = sampler.uniform2();
            const Ray ray =
                camera.ray(static_cast<float>(window.x) + u.x() * static_cast<float>(window.width),
                           static_cast<float>(window.y) + u.y() * static_cast<float>(window.height), sampler);
            const float depth = sampleOpticalDepth(sampler.uniform());
            wave.add(ray, depth, sampler.nextWord(), next);
        }
        if (wave.count() == 0) return;
        wave.findVertices();
        wave.findLeaving(ends);
        wave.remove(ends);
        wave.absorb();
        const VectorColumn& p = wave.positions();
        for (int i = 0; i < wave.count(); i += laneCount)
            depths.store(i,
                         snow.at(p.x.lanes(i), p.y.lanes(i), p.z.lanes(i), wave.lanesInUse(i) & ~wave.atSurfaces(i)));
        for (int i = wave.count() - 1; i >= 0; --i) {
            const bool isEnd = depths[i] >= m_settings.end_depth;
            if (isEnd) m_ends[static_cast<std::size_t>(wave.of(i))] = wave.position(i);
            if (isEnd || wave.scatterings(i) + 1 == longest) wave.remove(i);
        }
        wave.scatter();
    }
}

/// The blocks of the cells between which light is interpolated at the ends, and of the cells around these, in ascending
/// order. Other paths end in other places; where there is no block, a path goes on.
std::vector<Vec3i> LightCache::blocksOfEnds() const
{
    constexpr int margin = 1;  // cells
    std::vector<LeafKey> keys;
    for (const Vec3f& end : m_ends) {
        const Vec3f base = toCells(end) - Vec3f::Constant(0.5f);
        const Vec3i cell = base.array().floor().cast<int>().matrix() - Vec3i::Constant(margin);
        const Vec3i low = blockOf(cell), edges = blockOf(cell + Vec3i::Constant(1 + 2 * margin)) - low;
        for (int i = 0; i < 8; ++i) {
            const Vec3i step = cubeCoordinates(i, 2);
            const Vec3i block = low + step;
            if ((step.array() <= edges.array()).all() && m_blocks.contains(block)) keys.push_back(leafKey(block));
        }
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<Vec3i> blocks(keys.size());
    std::transform(keys.begin(), keys.end(), blocks.begin(), leafOfKey);
    return blocks;
}

/// Makes the cells of the blocks, and their table of optical depths.
void LightCache::allocate(std::vector<Vec3i> blocks)
{
    auto& [places, depths, collisions, light] = m_contents;
    places = std::move(blocks);
    numberBlocks();
    collisions.resize(places.size() * cellsPerBlock);
    light.resize(collisions.size() * sumsOfCell());
    depths.resize(places.size());
    tbb::parallel_for(std::size_t{0}, m_contents.blocks.size(), [this](std::size_t i) {
        measureBlock(m_contents.blocks[i], m_contents.depths[i], &m_contents.collisions[i * cellsPerBlock]);
    });
}

void LightCache::numberBlocks()
{
    for (std::size_t i = 0; i < m_contents.blocks.size(); ++i)
        m_blocks.set(m_contents.blocks[i], static_cast<std::int32_t>(i));
}

/// Finds the depths at the corners of a block's cells, and the cells' integrals of extinction.
void LightCache::measureBlock(const Vec3i& block, Depths& depths, float* collisions) const
{
    const Vec3i first = block * blockCells;
    findDepths(first, depths);
    const auto clear = [&](const Vec3i& corner, int edge) {
        const Vec3f middle = corner.cast<float>() + Vec3f::Constant(0.5f * static_cast<float>(edge));
        return isClear(fromCells(middle), static_cast<float>(edge) * m_cellUnits);
    };
    const bool isBlockClear = clear(first, blockCells);
    for (int c = 0; c < cellsPerBlock; ++c) {
        const Vec3i cell = first + cubeCoordinates(c, blockCells);
        collisions[c] = isBlockClear || clear(cell, 1) ? extinctionIntegral(cell.cast<float>()) : 0;
    }
}

/// Whether no body reaches into the cube with an edge in units of the bricks around a point (m). Density may, but light
/// does not.
bool LightCache::isClear(const Vec3f& middle, float edge) const
{
    const float halfDiagonal = 0.5f * std::sqrt(3.0f) * edge * m_scene.volume->voxelSize_m();
    return m_scene.surfaces == nullptr || m_scene.surfaces->clearance(middle) > halfDiagonal;
}

/// Of the corners of a block's cells.
void LightCache::findDepths(const Vec3i& firstCell, Depths& depths) const
{
    constexpr int count = blockCorners * blockCorners * blockCorners;
    VectorColumn corners(count);
    for (int i = 0; i < count; ++i)
        corners.set(i, fromCells((firstCell + cubeCoordinates(i, blockCorners)).cast<float>()));
    const SnowDepth depth(m_scene, m_settings.end_depth, m_cellUnits);
    for (int i = 0; i < count; i += laneCount) {
        const LaneBits lanes = firstLanes(count - i);
        const Floats found = depth.at(corners.x.lanes(i), corners.y.lanes(i), corners.z.lanes(i), lanes);
        forLanes(lanes, [&](int lane) { depths[i + lane] = found[lane]; });
    }
}

/// Integral of extinction over a cell (m^2). Midpoint rule of 4^3 points.
float LightCache::extinctionIntegral(const Vec3f& corner) const
{
    constexpr int perEdge = 4, perCell = perEdge * perEdge * perEdge;
    const float step = m_cellUnits / perEdge, voxel_m = m_scene.volume->voxelSize_m();
    const Vec3f first = corner * m_cellUnits + Vec3f::Constant(0.5f * step);
    Floats sum{};
    for (int i = 0; i < perCell; i += laneCount) {
        const Ints number = laneNumbers() + i;
        const auto at = [&](Eigen::Index axis, Ints k) { return first[axis] + step * toFloats(k % perEdge); };
        sum += valuesAt(m_scene.volume->bricks(), at(0, number / (perEdge * perEdge)), at(1, number / perEdge),
                        at(2, number), ints(-1));
    }
    float total = 0;
    for (int lane = 0; lane < laneCount; ++lane) total += sum[lane];
    return total * step * step * step * voxel_m * voxel_m;
}

}  // namespace firn
