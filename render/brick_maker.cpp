#include "render/brick_maker.h"

#include <algorithm>
#include <utility>

#include "render/cube.h"
#include "render/mist_texture.h"
#include "render/snow_surface.h"

namespace firn {

namespace {

std::vector<Grain> withoutLattice(std::vector<Grain> grains, double voxel_m)
{
    std::erase_if(grains, [&](const Grain& grain) { return GrainLattice::holds(grain, voxel_m); });
    grains.shrink_to_fit();
    return grains;
}

}  // namespace

SnowParts::SnowParts(std::vector<Grain> all, std::vector<SnowPiece> ofSnow, double voxel_m)
    : lattice(all, voxel_m),
      grains(withoutLattice(std::move(all), voxel_m), Bricks::cells * voxel_m),
      pieces(std::move(ofSnow), Bricks::cells * voxel_m)
{
}

bool BrickMaker::make(const BrickPlan& brick, Bricks::Values& values)
{
    const HomeBrick& home = m_homes[brick.home];
    const bool isInside = brick.kind == BrickKind::Inside;
    const bool hasSurface = brick.kind == BrickKind::Surface && makeSurface(brick, values);
    if (!hasSurface) values.fill(0);
    if (isInside) addFrom(home.density, brick, values);
    if (home.mist) addMist(brick, values);
    return hasSurface || isInside || home.mist;
}

void BrickMaker::addFrom(const Bricks::Values& ofHome, const BrickPlan& brick, Bricks::Values& values) const
{
    constexpr int n = Bricks::values;
    for (int i = 0; i < n * n * n; ++i) {
        const Vec3i unit = brick.corner + cubeCoordinates(i, n) * (1 << brick.level);
        const Vec3f place = unit.cast<float>() / static_cast<float>(m_units);
        values[static_cast<std::size_t>(i)] += Bricks::interpolate(ofHome.data(), float4(place, 0));
    }
}

void BrickMaker::addMist(const BrickPlan& brick, Bricks::Values& values) const
{
    const HomeBrick& home = m_homes[brick.home];
    Bricks::Values mist{};
    addFrom(*home.mist, brick, mist);
    const double unit = m_voxel_m / m_units;
    const Vec3d corner = home.leaf.cast<double>() * (Bricks::cells * m_voxel_m);
    addMistTexture(corner + brick.corner.cast<double>() * unit, unit * (1 << brick.level), mist);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += mist[i];
}

void BrickMaker::enterHome(std::size_t number)
{
    m_home = static_cast<std::ptrdiff_t>(number);
    const double edge = Bricks::cells * m_voxel_m;
    m_homeCorner = m_homes[number].leaf.cast<double>() * edge;
    const Vec3d end = m_homeCorner + Vec3d::Constant(edge);
    m_snow.grains.find(m_homeCorner, end, m_homeGrains);
    m_snow.pieces.find(m_homeCorner, end, m_homePieces);
    m_isInLattice = m_snow.lattice.copy(m_homes[number].leaf, m_block);
}

bool BrickMaker::makeSurface(const BrickPlan& brick, Bricks::Values& values)
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

void BrickMaker::sumFields(const BrickPlan& brick, const ValuePlaces& places)
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

}  // namespace firn
