#include "render/light_cache.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>

#include "common/error.h"
#include "common/leaf_key.h"
#include "render/cube.h"
#include "render/path_wave.h"
#include "render/tracking.h"

namespace firn {

namespace {

constexpr int markingPaths = 1 << 18;
constexpr std::uint32_t markingSample = 0x4d41524b;

}  // namespace

bool LightCache::isPossible(const RenderScene& scene)
{
    const auto& lights = scene.lights.all();
    return scene.volume != nullptr && !scene.volume->isHomogeneous() && scene.max_bounces == 0 && !lights.empty() &&
           std::all_of(lights.begin(), lights.end(), [](const auto& light) { return light->isAtInfinity(); });
}

LightCache::LightCache(const RenderScene& scene, const PinholeCamera& camera, const PixelWindow& window,
                       const LightCacheSettings& settings, const std::function<bool(double)>& goOn)
    : m_scene(scene), m_settings(settings)
{
    chooseCells();
    findEnds(camera, window);
    allocate(blocksOfEnds());
    fill(goOn);
}

LightCache::LightCache(const RenderScene& scene, const LightCacheSettings& settings, Contents contents)
    : m_scene(scene), m_settings(settings), m_contents(std::move(contents)), m_isComplete(true)
{
    chooseCells();
    const std::vector<Vec3i>& blocks = m_contents.blocks;
    const bool isOfScene = std::ranges::all_of(blocks, [&](const Vec3i& block) { return m_blocks.contains(block); }) &&
                           std::ranges::adjacent_find(blocks, [](const Vec3i& a, const Vec3i& b) {
                               return leafKey(a) >= leafKey(b);
                           }) == blocks.end();
    if (!isOfScene || m_contents.depths.size() != blocks.size() ||
        m_contents.cells.size() != blocks.size() * cellsPerBlock)
        throw Error(ExitCode::File, "the contents of a light cache are not of this scene");
    numberBlocks();
}

double LightCache::cell_m() const { return static_cast<double>(m_cellUnits * m_scene.volume->voxelSize_m()); }

/// The least optical depth along six directions, within the snow around the point and before the next body. It is
/// bounded by what the next corner of cells may have beyond the end depth, so that values between corners are right at
/// the end depth.
float LightCache::depthAt(const Vec3f& point) const
{
    const Volume& volume = *m_scene.volume;
    const Vec3f p = volume.toIndex(point);
    const float here = volume.bricks().at(p);
    const float enough = m_settings.end_depth + here * m_cellUnits;
    if (here <= 0) return 0;
    const float step = std::clamp(0.5f * enough / here, 0.1f, 0.5f);  // voxels
    float least = enough;
    if (m_scene.surfaces != nullptr)
        least = std::min(least, m_scene.surfaces->clearance(point) * here / volume.voxelSize_m());
    for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {-1.0f, 1.0f}) {
            float depth = 0;
            for (float t = 0.5f * step; depth < least; t += step) {
                const float value = volume.bricks().at(p + t * sign * Vec3f::Unit(axis));
                if (value < 0.02f * here) break;
                depth += value * step;
            }
            least = std::min(least, depth);
        }
    }
    return least;
}

/// Chooses the edge of a cell: a share of the length over which light changes in snow (the diffusion length), as far as
/// the end depth allows. Both in mean free paths of the extinction that most light meets.
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
    const float diffusionLength = 1 / std::sqrt(3 * (1 - albedo) * (1 - albedo * m_scene.medium.g));  // 1/0 = infinity
    const float edge = std::clamp(0.25f * diffusionLength, 0.5f * m_settings.end_depth, m_settings.end_depth);
    const float cell_m = m_settings.cell_m > 0 ? static_cast<float>(m_settings.cell_m) : edge * m_freePath_m;
    m_cellUnits = cell_m / voxel_m;
    const Vec3i& end = bricks.cell_max;
    m_blocks = SparseIndex((end.cast<float>() / (blockCells * m_cellUnits)).array().ceil().cast<int>() + 1);
}

/// Traces some camera paths to where they end.
void LightCache::findEnds(const PinholeCamera& camera, const PixelWindow& window)
{
    constexpr int pathsAtOnce = 4096;
    const Vec3f none = Vec3f::Constant(infinity);
    m_ends.assign(markingPaths, none);
    tbb::parallel_for(0, markingPaths / pathsAtOnce,
                      [&](int part) { traceToEnds(camera, window, part * pathsAtOnce, (part + 1) * pathsAtOnce); });
    std::erase(m_ends, none);
}

void LightCache::traceToEnds(const PinholeCamera& camera, const PixelWindow& window, int first, int last)
{
    constexpr int waveSize = 512, longest = 64;  // longest: scatterings
    WaveOf<int> wave(m_scene, waveSize);         // with the numbers of the paths
    std::vector<int> ends;
    for (int next = first;;) {
        for (; !wave.isFull() && next < last; ++next) {
            Sampler sampler(m_settings.seed, static_cast<std::uint32_t>(next), markingSample);
            const Vec2f u = sampler.uniform2();
            const Ray ray = camera.ray(static_cast<float>(window.x) + u.x() * static_cast<float>(window.width),
                                       static_cast<float>(window.y) + u.y() * static_cast<float>(window.height));
            const float depth = sampleOpticalDepth(sampler.uniform());
            wave.add(ray, depth, sampler.nextWord(), next);
        }
        if (wave.count() == 0) return;
        wave.findVertices();
        wave.findLeaving(ends);
        wave.remove(ends);
        wave.absorb();
        for (int i = wave.count() - 1; i >= 0; --i) {
            const bool isEnd = !wave.isOnSurface(i) && depthAt(wave.position(i)) >= m_settings.end_depth;
            if (isEnd) m_ends[static_cast<std::size_t>(wave.of(i))] = wave.position(i);
            if (isEnd || wave.scatterings(i) + 1 == longest) wave.remove(i);
        }
        wave.scatter();
    }
}

/// The blocks of cells at the ends and their neighbours, between which light is interpolated, in ascending order.
std::vector<Vec3i> LightCache::blocksOfEnds() const
{
    std::vector<LeafKey> keys;
    for (const Vec3f& end : m_ends) {
        const Vec3i block = (toCells(end) / blockCells).array().floor().cast<int>();
        for (int i = 0; i < 27; ++i) {
            const Vec3i near = block + cubeCoordinates(i, 3) - Vec3i::Ones();
            if (m_blocks.contains(near)) keys.push_back(leafKey(near));
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
    auto& [places, depths, cells] = m_contents;
    places = std::move(blocks);
    numberBlocks();
    cells.resize(places.size() * cellsPerBlock);
    depths.resize(places.size());
    tbb::parallel_for(std::size_t{0}, m_contents.blocks.size(), [this](std::size_t i) {
        measureBlock(m_contents.blocks[i], m_contents.depths[i], &m_contents.cells[i * cellsPerBlock]);
    });
}

void LightCache::numberBlocks()
{
    for (std::size_t i = 0; i < m_contents.blocks.size(); ++i)
        m_blocks.set(m_contents.blocks[i], static_cast<std::int32_t>(i));
}

/// Finds the depths at the corners of a block's cells, and the cells' integrals of extinction.
void LightCache::measureBlock(const Vec3i& block, Depths& depths, Cell* cells) const
{
    const Vec3i first = block * blockCells;
    for (int i = 0; i < static_cast<int>(depths.size()); ++i)
        depths[static_cast<std::size_t>(i)] =
            depthAt(fromCells((first + cubeCoordinates(i, blockCorners)).cast<float>()));
    const auto clear = [&](const Vec3i& corner, int edge) {
        const Vec3f middle = corner.cast<float>() + Vec3f::Constant(0.5f * static_cast<float>(edge));
        return isClear(fromCells(middle), static_cast<float>(edge) * m_cellUnits);
    };
    const bool isBlockClear = clear(first, blockCells);
    for (int c = 0; c < cellsPerBlock; ++c) {
        const Vec3i cell = first + cubeCoordinates(c, blockCells);
        cells[c].collisions = isBlockClear || clear(cell, 1) ? extinctionIntegral(cell.cast<float>()) : 0;
    }
}

/// Whether no body reaches into the cube with an edge in units of the bricks around a point (m). Density may, but light
/// does not.
bool LightCache::isClear(const Vec3f& middle, float edge) const
{
    const float halfDiagonal = 0.5f * std::sqrt(3.0f) * edge * m_scene.volume->voxelSize_m();
    return m_scene.surfaces == nullptr || m_scene.surfaces->clearance(middle) > halfDiagonal;
}

/// Integral of extinction over a cell (m^2). Midpoint rule of 4^3 points.
float LightCache::extinctionIntegral(const Vec3f& corner) const
{
    constexpr int points = 4;
    const float step = m_cellUnits / points, voxel_m = m_scene.volume->voxelSize_m();
    float sum = 0;
    for (int k = 0; k < points * points * points; ++k) {
        const Vec3f at = cubeCoordinates(k, points).cast<float>() + Vec3f::Constant(0.5f);
        sum += m_scene.volume->bricks().at(corner * m_cellUnits + step * at);
    }
    return sum * step * step * step * voxel_m * voxel_m;
}

/// The index of a cell, or -1.
std::int64_t LightCache::cellIndex(const Vec3i& cell) const
{
    const Vec3i block = cell.unaryExpr([](int i) { return i >> blockShift; });
    const std::int32_t number = m_blocks.at(block);
    if (number < 0) return -1;
    const Vec3i in = cell - block * blockCells;
    return static_cast<std::int64_t>(number) * cellsPerBlock + (in.x() * blockCells + in.y()) * blockCells + in.z();
}

bool LightCache::isDeep(const Vec3f& cellPoint) const
{
    const Vec3i block = (cellPoint / blockCells).array().floor().cast<int>();
    const std::int32_t number = m_blocks.at(block);
    if (number < 0) return false;
    const Vec3f local = cellPoint - (block * blockCells).cast<float>();
    return Bricks::interpolate<blockCells>(m_contents.depths[static_cast<std::size_t>(number)].data(),
                                           float4(local, 0)) >= m_settings.end_depth;
}

bool LightCache::scattered(const Vec3f& point, const Vec3f& incoming, Vec3f& result) const
{
    const Vec3f cellPoint = toCells(point);
    if (!isDeep(cellPoint)) return false;
    const Vec3f g = cellPoint - Vec3f::Constant(0.5f);
    const Vec3i base = g.array().floor().matrix().cast<int>();
    const Vec3f f = g - base.cast<float>();
    std::array<float, sums> light{};
    float collisions = 0;
    for (int i = 0; i < 8; ++i) {
        const Vec3i corner = cubeCoordinates(i, 2);
        const std::int64_t cell = cellIndex(base + corner);
        if (cell < 0) return false;
        const Cell& c = m_contents.cells[static_cast<std::size_t>(cell)];
        float weight = 1;
        for (int axis = 0; axis < 3; ++axis) weight *= corner[axis] ? f[axis] : 1 - f[axis];
        collisions += weight * c.collisions;
        for (std::size_t s = 0; s < sums; ++s) light[s] += weight * c.light[s];
    }
    if (collisions <= 0) return false;
    for (std::size_t c = 0; c < 3; ++c) {
        float flux = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            flux += light[3 + 3 * axis + c] * incoming[static_cast<Eigen::Index>(axis)];
        result[static_cast<Eigen::Index>(c)] =
            std::max(0.0f, (light[c] - 3 * m_scene.medium.g * flux) / (4 * pif * collisions));
    }
    return true;
}

}  // namespace firn
