#include "render/detail_plan.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

// The share of space that snow occupies, outside and inside the layer in which its surface may lie (snow_surface.h).
constexpr float outside = 0.2f, inside = 0.8f;
constexpr float noFragments = 0.02f;                   // share that lone particles occupy where they do not count
constexpr float noMist = 0.005f;                       // kg/m^3: ten metres of fine snow, until light is scattered
constexpr int outOfViewLevels = 2, farSideLevels = 1;  // how much coarser surfaces are that the camera does not see
constexpr int mistLevels = 1;                          // how much coarser mist is
constexpr double halfDiagonal = 0.8660254;             // of a cube, over its edge

Vec3i halfOf(int i) { return {i >> 2, i >> 1 & 1, i & 1}; }

}  // namespace

bool hasFragments(const Bricks::Values& lone) { return *std::max_element(lone.begin(), lone.end()) > noFragments; }

bool hasMist(const Bricks::Values& mist) { return *std::max_element(mist.begin(), mist.end()) > noMist; }

bool mayHoldSnow(const Bricks::Values& occupied, const Bricks::Values& lone)
{
    return *std::max_element(occupied.begin(), occupied.end()) > outside || hasFragments(lone);
}

DetailPlan::DetailPlan(const std::vector<HomeBrick>& homes, double voxel_m, const PlacedCamera& camera,
                       double voxelPixels)
    : m_homes(homes), m_camera(camera), m_voxel_m(voxel_m), m_voxelPixels(voxelPixels)
{
    double finest_m = infinity;  // detail that the picture shows
    for (std::size_t h = 0; h < homes.size(); ++h) {
        const BrickPlan home{h, Vec3i::Zero(), 0, BrickKind::Inside};  // of all levels at once
        const Vec3d middle = middleOf(home);
        const double radius = radiusOf(home);
        if (m_camera.mayShow(middle, radius)) finest_m = std::min(finest_m, m_camera.detailOf(middle, radius));
    }
    while (m_levels < Bricks::maxLevel && finestVoxel_m() > m_voxelPixels * finest_m) ++m_levels;
}

Vec3d DetailPlan::middleOf(const BrickPlan& brick) const
{
    const double edge = Bricks::cells << brick.level;  // units
    const Vec3d inHome = brick.corner.cast<double>() + Vec3d::Constant(0.5 * edge);
    return m_homes[brick.home].leaf.cast<double>() * (Bricks::cells * m_voxel_m) + inHome * finestVoxel_m();
}

double DetailPlan::radiusOf(const BrickPlan& brick) const
{
    return halfDiagonal * (Bricks::cells << brick.level) * finestVoxel_m();
}

std::vector<BrickPlan> DetailPlan::bricks() const
{
    std::vector<std::vector<BrickPlan>> ofHomes(m_homes.size());
    tbb::parallel_for(std::size_t{0}, m_homes.size(), [&](std::size_t h) {
        divide({h, Vec3i::Zero(), m_levels, BrickKind::Inside}, ofHomes[h]);
    });
    std::vector<BrickPlan> all;
    for (const auto& some : ofHomes) all.insert(all.end(), some.begin(), some.end());
    return all;
}

void DetailPlan::divide(BrickPlan brick, std::vector<BrickPlan>& bricks) const
{
    const HomeBrick& home = m_homes[brick.home];
    const auto [least, most] = rangeOf(brick, home.occupied);
    if (most <= outside && !hasFragments(brick)) {
        if (!hasMist(brick)) return;
        brick.kind = BrickKind::Mist;
    } else {
        brick.kind = least < inside ? BrickKind::Surface : BrickKind::Inside;
    }
    const int coarser = brick.kind == BrickKind::Mist ? mistLevels : 0;
    if (brick.kind == BrickKind::Inside || brick.level <= wantedLevel(brick) + coarser) {
        bricks.push_back(brick);
        return;
    }
    const int half = Bricks::cells << (brick.level - 1);
    for (int i = 0; i < 8; ++i)
        divide({brick.home, brick.corner + half * halfOf(i), brick.level - 1, BrickKind::Inside}, bricks);
}

/// Over the home's values around a brick.
DetailPlan::Range DetailPlan::rangeOf(const BrickPlan& brick, const Bricks::Values& values) const
{
    const int unit = 1 << m_levels, edge = Bricks::cells << brick.level;
    const Vec3i first = brick.corner / unit, last = (brick.corner.array() + edge + unit - 1) / unit;
    Range range{infinity, 0};
    for (int x = first.x(); x <= last.x(); ++x) {
        for (int y = first.y(); y <= last.y(); ++y) {
            for (int z = first.z(); z <= last.z(); ++z) {
                const int i = (x * Bricks::values + y) * Bricks::values + z;
                const float value = values[static_cast<std::size_t>(i)];
                range = {std::min(range.least, value), std::max(range.most, value)};
            }
        }
    }
    return range;
}

bool DetailPlan::hasFragments(const BrickPlan& brick) const
{
    const auto& lone = m_homes[brick.home].lone;
    return lone && rangeOf(brick, *lone).most > noFragments;
}

bool DetailPlan::hasMist(const BrickPlan& brick) const
{
    const auto& mist = m_homes[brick.home].mist;
    return mist && rangeOf(brick, *mist).most > noMist;
}

/// The level whose voxels are about as wide as asked for.
int DetailPlan::wantedLevel(const BrickPlan& brick) const
{
    const Vec3d middle = middleOf(brick);
    const double radius = radiusOf(brick);
    const double wide = m_voxelPixels * m_camera.detailOf(middle, radius) / finestVoxel_m();
    const int wanted = std::clamp(static_cast<int>(std::lround(std::log2(wide))), 0, m_levels);
    const int coarser = !m_camera.mayShow(middle, radius) ? outOfViewLevels : facesAway(brick) ? farSideLevels : 0;
    return std::min(wanted + coarser, m_levels);
}

/// Whether the surface in a brick lies behind its snow: the share that snow occupies grows towards the camera. Large
/// bricks may have several surfaces.
bool DetailPlan::facesAway(const BrickPlan& brick) const
{
    if (brick.level + 2 > m_levels || hasFragments(brick)) return false;
    const Bricks::Values& values = m_homes[brick.home].occupied;
    const auto unit = static_cast<float>(1 << m_levels), edge = static_cast<float>(Bricks::cells << brick.level);
    const Vec3f middle = (brick.corner.cast<float>() + Vec3f::Constant(0.5f * edge)) / unit;
    const float step = std::max(0.5f * edge / unit, 1.0f);
    const auto at = [&](const Vec3f& p) { return Bricks::interpolate(values.data(), float4(p, 0)); };
    Vec3f growth;
    for (int axis = 0; axis < 3; ++axis)
        growth[axis] = at(middle + step * Vec3f::Unit(axis)) - at(middle - step * Vec3f::Unit(axis));
    constexpr float least = 0.05f, cosine = 0.35f;
    const Vec3f toCamera = (m_camera.position() - middleOf(brick)).normalized().cast<float>();
    return growth.norm() > least && growth.dot(toCamera) > cosine * growth.norm();
}

}  // namespace firn
