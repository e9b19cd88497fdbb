#include "render/shadow_roulette.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/tracking.h"
#include "render/wide_bricks.h"

namespace firn {
namespace {

constexpr float nearVoxels = 16;

/// Optical depth along the ray from two points per block, up to `deepest`: the first voxels, or all of a short ray.
float nearDepth(const Bricks& bricks, const Ray& ray)
{
    float depth = 0;
    for (BlockWalk walk(bricks, ray, nearVoxels); walk.inside() && depth < ShadowRoulette::deepest; walk.leave()) {
        float tExit = 0;
        const Bricks::Block block = walk.enter(tExit);
        if (block.majorant <= 0) continue;
        const float length = tExit - walk.t();
        depth += 0.5f * length *
                 (walk.value(block, walk.t() + 0.25f * length) + walk.value(block, walk.t() + 0.75f * length));
    }
    return depth;
}

/// Optical depth of the rest of the ray from single points, up to `enough`.
float farDepth(const Bricks& bricks, const Ray& ray, float enough)
{
    constexpr float step = 4;
    const auto [t0, t1] = clip(ray, bricks.cell_min.cast<float>(), bricks.cell_max.cast<float>(), infinity);
    const Float4 origin = float4(ray.origin, -1), direction = float4(ray.direction, 0);
    const Int4 low = int4(bricks.cell_min, 0), high = int4(bricks.cell_max, 1) - 1;
    float depth = 0;
    for (float t = nearVoxels + 0.5f * step; t < t1 && depth < enough; t += step) {
        const Float4 point = origin + t * direction;
        const Int4 cell = min(max(toInt(point), low), high);
        const auto [brick, level, chunkEmpty] = bricks.brickOf(cell);
        if (brick < 0) continue;
        depth += step * Bricks::interpolate(bricks.bricks[static_cast<std::size_t>(brick)].data(),
                                            Bricks::localPoint(point, cell, level));
    }
    return depth;
}

/// The values of a brick that some cell with extinction needs: only there does a path collide and ask.
std::array<bool, std::tuple_size_v<Bricks::Values>> neededValues(const Bricks::Values& values)
{
    constexpr int n = Bricks::values;
    std::array<bool, std::tuple_size_v<Bricks::Values>> needed{};
    const auto forCorners = [](int cell, const auto& visit) {
        const int x = cell / (Bricks::cells * Bricks::cells), y = cell / Bricks::cells % Bricks::cells,
                  z = cell % Bricks::cells;
        for (int corner = 0; corner < 8; ++corner) {
            const int i = x + (corner >> 2), j = y + (corner >> 1 & 1), k = z + (corner & 1);
            const int value = (i * n + j) * n + k;
            visit(static_cast<std::size_t>(value));
        }
    };
    for (int cell = 0; cell < Bricks::cells * Bricks::cells * Bricks::cells; ++cell) {
        bool hasExtinction = false;
        forCorners(cell, [&](std::size_t i) { hasExtinction |= values[i] > 0; });
        if (hasExtinction) forCorners(cell, [&](std::size_t i) { needed[i] = true; });
    }
    return needed;
}

}  // namespace

ShadowRoulette::ShadowRoulette(const Volume& volume, const std::optional<Vec3f>& toward) : m_volume(&volume)
{
    if (!toward) return;
    const Bricks& bricks = volume.bricks();
    m_depths.resize(bricks.bricks.size());
    tbb::parallel_for(std::size_t{0}, m_depths.size(), [&](std::size_t b) {
        constexpr int n = Bricks::values;
        const auto needed = neededValues(bricks.bricks[b]);
        for (std::size_t i = 0; i < needed.size(); ++i) {
            if (!needed[i]) continue;
            const auto k = static_cast<int>(i);
            const Vec3i voxel = bricks.origins[b] + Vec3i(k / (n * n), k / n % n, k % n) * (1 << bricks.levels[b]);
            const Ray ray{voxel.cast<float>(), *toward};
            const float near = nearDepth(bricks, ray);
            m_depths[b][i] = std::min(near + farDepth(bricks, ray, deepest - near), deepest);
        }
    });
}

float ShadowRoulette::opticalDepth(const Vec3f& world) const
{
    if (m_depths.empty()) return 0;
    const Bricks& bricks = m_volume->bricks();
    const Float4 point = float4(m_volume->toIndex(world), 0);
    const Int4 cell = toInt(point);
    if (anyOfThree((cell < int4(bricks.cell_min, 0)) | (cell >= int4(bricks.cell_max, 1)))) return 0;
    const auto [brick, level, chunkEmpty] = bricks.brickOf(cell);
    if (brick < 0) return 0;
    return Bricks::interpolate(m_depths[brick].data(), Bricks::localPoint(point, cell, level));
}

Floats ShadowRoulette::probabilities(Floats x, Floats y, Floats z, Ints lanes) const
{
    if (m_depths.empty()) return floats(1);
    const Bricks& bricks = m_volume->bricks();
    const Vec3f zero = m_volume->toIndex(Vec3f::Zero());
    const float scale = 1 / m_volume->voxelSize_m();
    x = x * scale + zero.x(), y = y * scale + zero.y(), z = z * scale + zero.z();
    const Ints i = toInts(x), j = toInts(y), k = toInts(z);
    const Vec3i &low = bricks.cell_min, &high = bricks.cell_max;
    const Ints inside =
        (i >= low.x()) & (i < high.x()) & (j >= low.y()) & (j < high.y()) & (k >= low.z()) & (k < high.z());
    const BrickLookUp at = findBricks(bricks, i, j, k, lanes & inside);
    const auto local = [&](Floats p, Ints cell) { return localCoordinate(p, cell, at.level); };
    const Floats depth = interpolateBricks(m_depths, at.brick, local(x, i), local(y, j), local(z, k), at.has_brick);
    const Floats probability = naturalExponential(1.5f - 0.5f * depth);  // 1 up to a depth of 3; 3 % at the deepest
    return smaller(floats(1), probability);
}

std::vector<ShadowRoulette> makeShadowRoulettes(const Volume& volume, const Lights& lights)
{
    std::vector<ShadowRoulette> result;
    for (const Light* light : lights.sampled()) result.emplace_back(volume, light->mainDirection());
    return result;
}

}  // namespace firn
