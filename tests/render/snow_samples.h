#pragma once
// Particles of snow, their history and their sums, for the tests of detail.

#include <cmath>
#include <vector>

#include "render/grain_fields.h"
#include "render/rest_places.h"

namespace firn::test {

inline constexpr double size_m = 0.01;  // of a particle
inline constexpr float density = 300;   // kg/m^3

inline SnowParticles particlesAt(const std::vector<Vec3d>& places)
{
    SnowParticles frame;
    frame.dx_m = 2 * size_m;
    const std::size_t n = places.size();
    frame.position_m = places;
    frame.velocity_m_s.assign(n, Vec3f::Zero());
    frame.stretch.assign(n, 1);
    frame.volume0_m3.assign(n, static_cast<float>(std::pow(size_m, 3)));
    frame.mass_kg.assign(n, density * static_cast<float>(std::pow(size_m, 3)));
    for (std::size_t i = 0; i < n; ++i) frame.id.push_back(static_cast<std::uint32_t>(i));
    frame.material.assign(n, 0);
    return frame;
}

/// All mass of a grid, kg.
inline double massOf(const DensityGrid& grid)
{
    double sum = 0;
    for (const DensityGrid::Leaf& leaf : grid.leaves)
        for (const float value : leaf) sum += static_cast<double>(value);
    return sum * std::pow(grid.voxel_m, 3);
}

/// Snow below y = 0, 60 x 20 x 60 cm.
inline SnowParticles flatSnow()
{
    std::vector<Vec3d> places;
    for (int x = -30; x < 30; ++x)
        for (int y = -20; y < 0; ++y)
            for (int z = -30; z < 30; ++z) places.push_back((Vec3d(x, y, z) + Vec3d::Constant(0.5)) * size_m);
    return particlesAt(places);
}

/// Of particles at rest.
inline SnowHistory restingHistory(const SnowParticles& frame, const std::vector<float>& surroundings)
{
    return {surroundings, RestPlaces().of(frame, surroundings), std::vector<float>(frame.size()), nullptr};
}

inline GrainFields fieldsAt(const std::vector<Grain>& grains, const ValuePlaces& places)
{
    GrainFields fields;
    for (auto& rows : fields.rows) rows.fill(0);
    addGrains(grains, places, fields);
    return fields;
}

}  // namespace firn::test
