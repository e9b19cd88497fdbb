#include "render/shadow_roulette.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/cube.h"
#include "render/optical_depth.h"
#include "render/wide_bricks.h"

namespace firn {
namespace {

/// The values of the table that some cell of a brick with extinction needs: only there does a path collide and ask.
/// The table has one value for each `step` cells along an edge.
std::vector<char> neededValues(const Bricks::Values& values, int step)
{
    const int n = Bricks::cells / step + 1, count = n * n * n;
    std::vector<char> needed(static_cast<std::size_t>(count));
    const auto forCorners = [](const Vec3i& cell, int edge, const auto& visit) {
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3i at = cell + Vec3i(corner >> 2, corner >> 1 & 1, corner & 1);
            const int index = (at.x() * edge + at.y()) * edge + at.z();
            visit(static_cast<std::size_t>(index));
        }
    };
    for (int i = 0; i < Bricks::cells * Bricks::cells * Bricks::cells; ++i) {
        const Vec3i cell = cubeCoordinates(i, Bricks::cells);
        bool hasExtinction = false;
        forCorners(cell, Bricks::values, [&](std::size_t k) { hasExtinction |= values[k] > 0; });
        if (hasExtinction) forCorners(cell / step, n, [&](std::size_t k) { needed[k] = 1; });
    }
    return needed;
}

}  // namespace

ShadowRoulette::ShadowRoulette(const Volume& volume, const Light& light) : m_volume(&volume)
{
    if (!light.middle(Vec3f::Zero())) return;
    const Bricks& bricks = volume.bricks();
    const bool isFine = std::any_of(bricks.levels.begin(), bricks.levels.end(), [](int level) { return level > 0; });
    m_cells = isFine ? coarseCells : fineCells;
    const int n = m_cells + 1, step = Bricks::cells / m_cells, count = n * n * n;
    const auto perBrick = static_cast<std::size_t>(count);
    m_depths.resize(bricks.bricks.size() * perBrick);
    tbb::parallel_for(std::size_t{0}, bricks.bricks.size(), [&](std::size_t b) {
        const std::vector<char> needed = neededValues(bricks.bricks[b], step);
        for (std::size_t i = 0; i < perBrick; ++i) {
            if (!needed[i]) continue;
            const auto k = static_cast<int>(i);
            const Vec3i place = cubeCoordinates(k, n) * (step << bricks.levels[b]);
            const Vec3f from = (bricks.origins[b] + place).cast<float>();
            const LightMiddle to = *light.middle(volume.toWorld(from));
            m_depths[b * perBrick + i] =
                roughOpticalDepth(bricks, {from, to.direction}, deepest, to.distance / volume.voxelSize_m());
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
    const int n = m_cells + 1, count = n * n * n;
    const float* const depths = m_depths.data() + static_cast<std::size_t>(brick) * static_cast<std::size_t>(count);
    const Float4 local = Bricks::localPoint(point, cell, level);
    return m_cells == fineCells ? Bricks::interpolate(depths, local)
                                : Bricks::interpolate<coarseCells>(depths, 0.5f * local);
}

Floats ShadowRoulette::probabilities(Floats x, Floats y, Floats z, Ints lanes) const
{
    if (m_depths.empty()) return floats(1);
    const Bricks& bricks = m_volume->bricks();
    const Vec3f zero = m_volume->toIndex(Vec3f::Zero());
    const float scale = 1 / m_volume->voxelSize_m();
    x = x * scale + zero.x(), y = y * scale + zero.y(), z = z * scale + zero.z();
    const Ints i = toInts(x), j = toInts(y), k = toInts(z);
    const BrickLookUp at = findBricks(bricks, i, j, k, lanes & areInside(bricks, x, y, z));
    const float scaleToTable = static_cast<float>(m_cells) / Bricks::cells;
    const auto local = [&](Floats p, Ints cell) { return scaleToTable * localCoordinate(p, cell, at.level); };
    const auto interpolate = m_cells == fineCells ? interpolateBricks<fineCells> : interpolateBricks<coarseCells>;
    const Floats depth = interpolate(m_depths.data(), at.brick, local(x, i), local(y, j), local(z, k), at.has_brick);
    const Floats probability = naturalExponential(1.5f - 0.5f * depth);  // 1 up to a depth of 3; 3 % at the deepest
    return smaller(floats(1), probability);
}

std::vector<ShadowRoulette> makeShadowRoulettes(const Volume& volume, const Lights& lights)
{
    std::vector<ShadowRoulette> result;
    for (const Light* light : lights.sampled()) result.emplace_back(volume, *light);
    return result;
}

}  // namespace firn
