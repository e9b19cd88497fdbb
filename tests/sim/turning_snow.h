#pragma once
// Snow that turns, for the tests of what transfers keep of a rotation.

#include "sim/particles.h"

namespace firn {

/// Snow of 400 kg/m^3 with eight particles per cell, regularly placed within `cells` cells of the origin where
/// inside(x) holds, turning about y with `rate` rad/s; C is that of the rotation.
template <class F>
Particles turningSnow(double h, int cells, float rate, bool affine, const F& inside)
{
    Particles p;
    p.affine = affine;
    for (int i = -2 * cells; i < 2 * cells; ++i)
        for (int j = -2 * cells; j < 2 * cells; ++j)
            for (int k = -2 * cells; k < 2 * cells; ++k) {
                const Vec3i half(i, j, k);
                const Vec3d x = (half.cast<double>() + Vec3d::Constant(0.5)) * h / 2;
                if (!inside(x)) continue;
                const std::size_t at = p.size();
                p.resize(at + 1);
                const Vec3d v = static_cast<double>(rate) * Vec3d::UnitY().cross(x);
                for (int a = 0; a < 3; ++a) {
                    p.cell[a][at] = half[a] >> 1;
                    p.offset[a][at] = (half[a] & 1) != 0 ? 0.75f : 0.25f;
                    p.velocity[a][at] = static_cast<float>(v[a]);
                }
                if (affine) p.C[2][at] = rate, p.C[6][at] = -rate;  // v_x = rate z, v_z = -rate x
                for (int e = 0; e < 9; ++e) p.F_E[e][at] = e % 4 == 0 ? 1.f : 0.f;
                p.J_P[at] = p.modulus_factor[at] = 1;
                p.volume0[at] = static_cast<float>(h * h * h / 8);
                p.mass[at] = 400 * p.volume0[at];
                p.id[at] = static_cast<std::uint32_t>(at);
            }
    return p;
}

}  // namespace firn
