#pragma once
// The snow of Stomakhin et al. 2013: fixed corotated elasticity with multiplicative plasticity and hardening,
//   mu, lambda = mu_0, lambda_0 exp(xi (1 - J_P))                                                          (eq. 2)
// F_P enters through J_P = det F_P alone, so J_P is all that is kept of it.

#include <algorithm>
#include <limits>

#include "common/scene/scene.h"
#include "sim/material/corotated_tangent.h"
#include "sim/material/packed_ice.h"

namespace firn {

/// exp(xi (1 - J_P)), bounded above.
template <class V>
V hardeningFactor(V J_P, V xi, V bound)
{
    return smaller(naturalExponential(xi * (1 - J_P)), bound);
}

/// True only where all singular values of F lie in [minStretch, maxStretch], told from |F^T F - I| alone: its
/// eigenvalues are sigma^2 - 1 and none exceeds its Frobenius norm.
template <class V>
auto surelyElastic(const Mat3<V>& F, V minStretch, V maxStretch)
{
    const Symmetric3<V> E = rightCauchyGreenMinusIdentity(F);
    const V squared = E.xx * E.xx + E.yy * E.yy + E.zz * E.zz + 2 * (E.xy * E.xy + E.xz * E.xz + E.yz * E.yz);
    const V bound = smaller(maxStretch * maxStretch - 1, 1 - minStretch * minStretch);
    return squared < bound * bound;
}

/// Plastic return (section 5.3): singular values of F_E are clamped to [1 - theta_c, 1 + theta_s]. What is cut off goes
/// to F_P, so that F_E F_P is unchanged: J_P grows by the ratio of the determinants. J_P is then bounded too; bounds
/// that are reached change the volume that the particle stands for.
template <class V>
void plasticReturn(Mat3<V>& F_E, V& J_P, V minStretch, V maxStretch, V minJ_P, V maxJ_P)
{
    const auto elastic = surelyElastic(F_E, minStretch, maxStretch);
    if (all(elastic)) return;
    const Svd<V> d = svd(F_E);
    V ratio = V{} + 1.f;
    Mat3<V> stretched;
    for (int k = 0; k < 3; ++k) {
        const V clamped = smaller(larger(d.sigma[k], minStretch), maxStretch);
        ratio *= d.sigma[k] / clamped;
        for (int i = 0; i < 3; ++i) stretched[i][k] = d.U[i][k] * clamped;
    }
    const Mat3<V> returned = timesTransposed(stretched, d.Vm);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) F_E[i][j] = select(elastic, F_E[i][j], returned[i][j]);
    J_P = select(elastic, J_P, smaller(larger(J_P * ratio, minJ_P), maxJ_P));
}

/// The model; see sim/material/model.h for what its functions mean.
template <class V>
struct Snow {
    V mu0, lambda0;              // Pa
    V hardening, max_hardening;  // xi, and the upper bound of exp(xi (1 - J_P))
    V min_stretch, max_stretch;  // 1 - theta_c, 1 + theta_s
    V loss, most_loss;           // exponent (1 - s) xi by which packed snow loses theta_s, s the strength's share of
                                 // hardening; and the bound of its exponential
    V min_J_P, max_J_P;          // below the first, snow hardens no further; the second bounds J_P
    PackedIce<V> ice;
    bool plastic, near_rest;  // near_rest: plastic return keeps all stretches within 1 +- seriesLimit
    bool constant_stretch;    // theta_s does not depend on J_P
    double yield_strain;      // the smaller of theta_c and theta_s; infinite where nothing yields

    /// Calls f(parameter of each of the models...) for what the lanes of a batch need.
    template <class F, class... M>
    static void zipParameters(const F& f, M&... models)
    {
        f(models.mu0...);
        f(models.lambda0...);
        f(models.hardening...);
        f(models.max_hardening...);
        f(models.min_stretch...);
        f(models.max_stretch...);
        f(models.loss...);
        f(models.most_loss...);
        f(models.min_J_P...);
        f(models.max_J_P...);
        f(models.ice.stiffness...);
        f(models.plastic...);
        f(models.near_rest...);
        f(models.constant_stretch...);
    }

    static bool describes(const SnowMaterial&) { return true; }

    static Snow<double> of(const SnowMaterial& keys, bool plastic)
    {
        Snow<double> snow;
        snow.mu0 = lameMu(keys.youngs_modulus_pa, keys.poisson_ratio);
        snow.lambda0 = lameLambda(keys.youngs_modulus_pa, keys.poisson_ratio);
        snow.hardening = keys.hardening;
        snow.max_hardening = keys.max_hardening;
        snow.min_stretch = plastic ? 1 - keys.critical_compression : 0;
        snow.max_stretch = plastic ? 1 + keys.critical_stretch : 1e30;
        snow.loss = (1 - keys.strength_hardening) * keys.hardening;
        snow.most_loss = std::pow(keys.max_hardening, 1 - keys.strength_hardening);
        snow.constant_stretch = keys.strength_hardening == 1;
        snow.min_J_P = keys.min_J_P;
        snow.max_J_P = keys.max_J_P;
        snow.ice.stiffness = plastic ? keys.packed_modulus_pa : 0;
        snow.plastic = plastic;
        snow.near_rest = plastic && std::max(keys.critical_compression, keys.critical_stretch) <= seriesLimit;
        snow.yield_strain = plastic ? std::min(keys.critical_compression, keys.critical_stretch)
                                    : std::numeric_limits<double>::infinity();
        return snow;
    }

    /// The particle speed of a pressure wave that strains snow of this density (kg/m^3) to its yield, m/s.
    double yieldSpeed(double density) const { return std::sqrt((lambda0 + 2 * mu0) / density) * yield_strain; }

    V energyDensity(const MaterialState<V>& s) const
    {
        const V factor = modulusFactor(s);
        return firn::energyDensity(s.F_E, mu0 * factor, lambda0 * factor) + ice.energyDensity(s);
    }

    Symmetric3<V> kirchhoffStress(const MaterialState<V>& s) const
    {
        const V factor = modulusFactor(s), mu = mu0 * factor, lambda = lambda0 * factor;
        return addToDiagonal(
            near_rest ? kirchhoffStressNearRest(s.F_E, mu, lambda) : firn::kirchhoffStress(s.F_E, mu, lambda),
            ice.kirchhoffStress(s));
    }

    Mat3<V> firstPiolaStress(const MaterialState<V>& s) const
    {
        const V factor = modulusFactor(s);
        const Mat3<V> P = firn::firstPiolaStress(s.F_E, factor * mu0, factor * lambda0);
        return plusScaled(P, ice.kirchhoffStress(s) / determinant(s.F_E), cofactors(s.F_E));
    }

    Mat3<V> stressDifferential(const MaterialState<V>& s, const Mat3<V>& dF) const
    {
        const V factor = modulusFactor(s);
        const Mat3<V> snow = firn::stressDifferential(s.F_E, dF, factor * mu0, factor * lambda0);
        // p cof F with p = dPsi/dJ: dp cof F + p d cof F
        const V J = determinant(s.F_E);
        const Mat3<V> cof = cofactors(s.F_E);
        V dJ{};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) dJ += cof[i][j] * dF[i][j];
        return plusScaled(plusScaled(snow, ice.bulkModulus(s) / (J * J) * dJ, cof), ice.kirchhoffStress(s) / J,
                          cofactorDifferential(s.F_E, dF));
    }

    Tangent<V> tangent(const MaterialState<V>& s, V volume0, V growth, bool definite) const
    {
        const V factor = modulusFactor(s);
        const Symmetric3<V> S = near_rest ? leftStretchNearRest(s.F_E) : leftStretch(s.F_E);
        CorotatedTangent<V> exact = corotatedTangent(s.F_E, S, mu0 * factor, lambda0 * factor, volume0);
        exact.bulk += ice.secantModulus(s, growth) * volume0;
        exact.pressure += ice.kirchhoffStress(s) * volume0;
        return (definite ? withoutPressure(exact) : exact).packed();
    }

    static Mat3<V> stressRate(const Tangent<V>& tangent, const Mat3<V>& gradient, bool definite)
    {
        const CorotatedTangent<V> k = CorotatedTangent<V>::unpacked(tangent);
        return firn::stressRate(k, gradient, definite ? definiteShare(k.S) : V{} + 1.f);
    }

    static V meanModulus(const Tangent<V>& tangent)
    {
        const CorotatedTangent<V> k = CorotatedTangent<V>::unpacked(tangent);
        return (2 * k.shear + k.bulk) / 3;
    }

    void plasticReturn(MaterialState<V>& s) const
    {
        if (!plastic) return;
        const V limit = constant_stretch && all(s.strength == 1.f) ? max_stretch : maxStretch(s);
        firn::plasticReturn(s.F_E, s.J_P, min_stretch, limit, V{} + smallestJ_P, max_J_P);
    }

    /// Where packed snow does not become stronger as it becomes stiffer, 1 + theta_s / exp((1 - s) xi (1 - J_P)) for
    /// J_P < 1: it breaks at the stress of the snow that it was. Stretches stay within what near_rest promises.
    V maxStretch(const MaterialState<V>& s) const
    {
        const V packed = smaller(larger(s.J_P, min_J_P), V{} + 1.f);
        const V theta_s = (max_stretch - 1) * s.strength / hardeningFactor(packed, loss, most_loss);
        return 1 + smaller(theta_s, larger(max_stretch - 1, V{} + static_cast<float>(seriesLimit)));
    }

    V waveModulus(const MaterialState<V>& s) const
    {
        return (lambda0 + 2 * mu0) * modulusFactor(s) + ice.bulkModulus(s);
    }

    /// What a particle's modulus is multiplied with: noise or crust, and hardening.
    V modulusFactor(const MaterialState<V>& s) const
    {
        return s.modulus_factor * hardeningFactor(larger(s.J_P, min_J_P), hardening, max_hardening);
    }

    static constexpr float smallestJ_P = 0.01f;  // never reached where packed ice resists
};

}  // namespace firn
