#pragma once
// Snow of two regions side by side.

#include "render/snow_particles.h"

namespace firn::test {

constexpr double halvesSize_m = 0.01;  // of a particle

/// A block of 16 x 16 x 16 cm in the middle of space: material 0 where x < 0, 1 elsewhere; 300 kg/m^3.
inline SnowParticles twoHalves()
{
    SnowParticles frame;
    for (int x = -8; x < 8; ++x)
        for (int y = -8; y < 8; ++y)
            for (int z = -8; z < 8; ++z) {
                frame.position_m.push_back((Vec3d(x, y, z) + Vec3d::Constant(0.5)) * halvesSize_m);
                frame.volume0_m3.push_back(1e-6f);
                frame.mass_kg.push_back(3e-4f);
                frame.id.push_back(static_cast<std::uint32_t>(frame.id.size()));
                frame.material.push_back(x < 0 ? 0 : 1);
            }
    return frame;
}

}  // namespace firn::test
