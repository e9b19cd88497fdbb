#include "render/light_cache.h"

#include <algorithm>
#include <array>

#include "common/error.h"
#include "common/leaf_key.h"
#include "render/cube.h"

namespace firn {

bool LightCache::isPossible(const RenderScene& scene)
{
    return scene.volume != nullptr && !scene.volume->isHomogeneous() && scene.max_bounces == 0 &&
           !scene.lights.all().empty() && (scene.surfaces == nullptr || !scene.surfaces->emits());
}

LightCache::LightCache(const RenderScene& scene, const PlacedCamera& camera, const PixelWindow& window,
                       const LightCacheSettings& settings, const std::function<bool(double)>& goOn)
    : m_scene(scene), m_settings(settings), m_groups(static_cast<std::size_t>(scene.lights.groupCount()))
{
    chooseCells();
    findEnds(camera, window);
    allocate(blocksOfEnds());
    fill(goOn);
}

LightCache::LightCache(const RenderScene& scene, const LightCacheSettings& settings, Contents contents)
    : m_scene(scene),
      m_settings(settings),
      m_groups(static_cast<std::size_t>(scene.lights.groupCount())),
      m_contents(std::move(contents)),
      m_isComplete(true)
{
    chooseCells();
    const std::vector<Vec3i>& blocks = m_contents.blocks;
    const bool isOfScene = std::ranges::all_of(blocks, [&](const Vec3i& block) { return m_blocks.contains(block); }) &&
                           std::ranges::adjacent_find(blocks, [](const Vec3i& a, const Vec3i& b) {
                               return leafKey(a) >= leafKey(b);
                           }) == blocks.end();
    if (!isOfScene || m_contents.depths.size() != blocks.size() || cellCount() != blocks.size() * cellsPerBlock ||
        m_contents.light.size() != cellCount() * sumsOfCell())
        throw Error(ExitCode::File, "the contents of a light cache are not of this scene");
    numberBlocks();
}

double LightCache::cell_m() const { return static_cast<double>(m_cellUnits * m_scene.volume->voxelSize_m()); }

/// The index of a cell, or -1.
std::int64_t LightCache::cellIndex(const Vec3i& cell) const
{
    const Vec3i block = blockOf(cell);
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

bool LightCache::scattered(const Vec3f& point, const Vec3f& incoming, GroupedLight& result) const
{
    const Vec3f cellPoint = toCells(point);
    if (!isDeep(cellPoint)) return false;
    const Vec3f g = cellPoint - Vec3f::Constant(0.5f);
    const Vec3i base = g.array().floor().matrix().cast<int>();
    const Vec3f f = g - base.cast<float>();
    std::array<std::size_t, 8> cells{};
    std::array<float, 8> weights{};
    float collisions = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        const Vec3i corner = cubeCoordinates(static_cast<int>(i), 2);
        const std::int64_t cell = cellIndex(base + corner);
        if (cell < 0) return false;
        cells[i] = static_cast<std::size_t>(cell);
        weights[i] = 1;
        for (int axis = 0; axis < 3; ++axis) weights[i] *= corner[axis] ? f[axis] : 1 - f[axis];
        collisions += weights[i] * m_contents.collisions[cells[i]];
    }
    if (collisions <= 0) return false;
    for (std::size_t group = 0; group < m_groups; ++group) {
        std::array<float, sums> light{};
        for (std::size_t i = 0; i < 8; ++i) {
            const float* const ofCell = &m_contents.light[cells[i] * sumsOfCell() + group * sums];
            for (std::size_t s = 0; s < sums; ++s) light[s] += weights[i] * ofCell[s];
        }
        result.col(static_cast<Eigen::Index>(group)) = leaving(light, incoming, collisions);
    }
    return true;
}

/// The radiance that leaves a point against `incoming`, from the sums there.
Vec3f LightCache::leaving(const std::array<float, sums>& light, const Vec3f& incoming, float collisions) const
{
    Vec3f result;
    for (std::size_t c = 0; c < 3; ++c) {
        float flux = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            flux += light[3 + 3 * axis + c] * incoming[static_cast<Eigen::Index>(axis)];
        result[static_cast<Eigen::Index>(c)] =
            std::max(0.0f, (light[c] - 3 * m_scene.medium.g * flux) / (4 * pif * collisions));
    }
    return result;
}

}  // namespace firn
