#pragma once
// Snow cannot become denser than ice. The hardening of eq. 2 is bounded, so under a strong impact snow would be crushed
// to several times the density of ice. From the density on at which its pores close, it resists more and more:
//   Psi = K/4 fill e^4, e = 1 - J / fill where J = det F_E J_P < fill, and 0 elsewhere,
// fill the density at rest over that at which pores close. The Cauchy pressure is K e^3: small pressures, such as
// those under a boot, keep the wave speed low. The term depends on the total change of volume, so plastic flow goes on
// as before.

#include "sim/material/model.h"

namespace firn {

template <class V>
struct PackedIce {
    V stiffness;  // K, Pa

    /// K from the bulk modulus (Pa) at the density of ice without pores: K e^3 has the slope 3 K e^2 there.
    static double stiffnessOf(double modulus)
    {
        constexpr double e = 1 - closedPoreDensity / 917;
        return modulus / (3 * e * e);
    }

    V energyDensity(const MaterialState<V>& s) const
    {
        const V e = excess(s);
        return stiffness / 4 * s.fill * (e * e) * (e * e);
    }
    /// The isotropic Kirchhoff stress, Pa.
    V kirchhoffStress(const MaterialState<V>& s) const
    {
        const V e = excess(s);
        return -stiffness * volume(s) * e * e * e;
    }
    /// J_E^2 d2Psi/dJ_E^2, Pa; the wave modulus too.
    V bulkModulus(const MaterialState<V>& s) const
    {
        const V J = volume(s), e = excess(s);
        return 3 * stiffness * e * e * J * J / s.fill;
    }

    static V volume(const MaterialState<V>& s) { return determinant(s.F_E) * s.J_P; }
    static V excess(const MaterialState<V>& s) { return larger(V{}, 1 - volume(s) / s.fill); }
};

}  // namespace firn
