#pragma once
// Snow cannot become denser than ice. The hardening of eq. 2 is bounded, so under a strong impact snow would be crushed
// to several times the density of ice. From the density on at which its pores close, it resists as a liquid does, and
// beyond the density of ice more and more:
//   Psi = K fill (e^2 / 2 + e^10 / (10 e_i^8)), e = 1 - J / fill where J = det F_E J_P < fill, and 0 elsewhere,
// where fill is the density at rest over the density at which pores close, and e_i = 0.08 (902 kg/m^3). The Cauchy
// pressure is K e (1 + (e / e_i)^8). Beyond e = 2 e_i, the factor (e / e_i)^8 stays constant. Under a boot, the first
// term dominates, and waves are slow; in a fast impact, the stiff second term does. The energy depends on the total
// change of volume, so it does not change plastic flow.

#include "sim/material/model.h"

namespace firn {

template <class V>
struct PackedIce {
    V stiffness;  // K, Pa

    V energyDensity(const MaterialState<V>& s) const
    {
        const V e = excess(s), m = smaller(e, V{} + mostExcess);
        return stiffness * s.fill * (e * e / 2 + beyondIce(e) * (m * m / 10 + (e * e - m * m) / 2));
    }
    /// The isotropic Kirchhoff stress, Pa.
    V kirchhoffStress(const MaterialState<V>& s) const
    {
        if (hasOpenPores(s)) return -V{};
        const V e = excess(s);
        return -stiffness * volume(s) * e * (1 + beyondIce(e));
    }
    /// J_E^2 d2Psi/dJ_E^2, Pa; the wave modulus too.
    V bulkModulus(const MaterialState<V>& s) const
    {
        if (hasOpenPores(s)) return V{};
        const V J = volume(s), e = excess(s);
        return stiffness * (isAbove(e, 0) + (9 - 8 * isAbove(e, mostExcess)) * beyondIce(e)) * J * J / s.fill;
    }

    /// bulkModulus with the secant in place of the derivative, for a step in which the volume is expected to change by
    /// the share `growth`. The derivative at the start of a long step does not contain the resistance at its end, so
    /// snow would be pressed far beyond ice and thrown back. The secant ends at the density of ice at the latest. It is
    /// used only where it is larger than the derivative.
    V secantModulus(const MaterialState<V>& s, V growth) const
    {
        constexpr float least = 1e-3f;  // below it, the difference of floats is inaccurate, and the derivative is good
        const V J = volume(s), from = excess(s);
        const V shrinkage = larger(V{} + least, -growth);
        const V to = larger(V{}, smaller(1 - J * (1 - shrinkage) / s.fill, V{} + excessOfIce));
        const V rise = to * (1 + beyondIce(to)) - from * (1 + beyondIce(from));
        return larger(bulkModulus(s), isAbove(-growth, least) * (stiffness * J * rise / shrinkage));
    }

    /// Whether that holds for all particles, which is usual: the rest is then left out.
    static bool hasOpenPores(const MaterialState<V>& s) { return all(volume(s) >= s.fill); }
    static V volume(const MaterialState<V>& s) { return determinant(s.F_E) * s.J_P; }
    static constexpr float excessOfIce = 0.08f, mostExcess = 2 * excessOfIce;
    /// (e / e_i)^8 up to e_m
    static V beyondIce(V e)
    {
        const V share = smaller(e, V{} + mostExcess) * (1 / excessOfIce), squared = share * share;
        const V fourth = squared * squared;
        return fourth * fourth;
    }
    /// 1 where e is larger than the limit, or else 0.
    static V isAbove(V e, float limit) { return smaller(V{} + 1.f, larger(V{}, (e - limit) * 1e20f)); }
    static V excess(const MaterialState<V>& s) { return larger(V{}, 1 - volume(s) / s.fill); }
};

}  // namespace firn
