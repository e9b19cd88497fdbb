#include "render/shadow_roulette.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "render/tracking.h"

namespace firn {
namespace {

/// Optical depth along the ray from two points per block, up to `deepest`.
float approximateDepth(const Bricks& bricks, const Ray& ray)
{
    float depth = 0;
    for (BlockWalk walk(bricks, ray, infinity); walk.inside() && depth < ShadowRoulette::deepest; walk.leave()) {
        float tExit = 0;
        const Bricks::Block block = walk.enter(tExit);
        if (block.majorant <= 0) continue;
        const float length = tExit - walk.t();
        depth += 0.5f * length *
                 (walk.value(block, walk.t() + 0.25f * length) + walk.value(block, walk.t() + 0.75f * length));
    }
    return std::min(depth, ShadowRoulette::deepest);
}

}  // namespace

ShadowRoulette::ShadowRoulette(const Volume& volume, const std::optional<Vec3f>& toward) : m_volume(&volume)
{
    if (!toward) return;
    const Bricks& bricks = volume.bricks();
    m_depths.resize(bricks.bricks.size());
    tbb::parallel_for(std::size_t{0}, m_depths.size(), [&](std::size_t b) {
        constexpr int n = Bricks::values;
        for (int i = 0; i < n * n * n; ++i) {
            const Vec3i voxel = bricks.origins[b] + Vec3i(i / (n * n), i / n % n, i % n);
            m_depths[b][i] = approximateDepth(bricks, {voxel.cast<float>(), *toward});
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
    bool chunkEmpty = false;
    const std::int32_t brick = bricks.brickOf(cell, chunkEmpty);
    if (brick < 0) return 0;
    return Bricks::interpolate(m_depths[brick].data(), point - toFloat(cell & -Bricks::cells));
}

float ShadowRoulette::probability(const Vec3f& world) const
{
    return std::min(1.0f, std::exp(1.5f - 0.5f * opticalDepth(world)));  // 1 up to a depth of 3; 3 % at the deepest
}

std::vector<ShadowRoulette> makeShadowRoulettes(const Volume& volume, const Lights& lights)
{
    std::vector<ShadowRoulette> result;
    for (const Light* light : lights.sampled()) result.emplace_back(volume, light->mainDirection());
    return result;
}

}  // namespace firn
