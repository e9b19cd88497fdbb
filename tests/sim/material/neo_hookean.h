#pragma once
// A second material model, which exists in tests alone: neo-Hookean rubber in the form of Smith et al. 2018 without its
// barrier at the origin,
//   Psi = mu/2 (|F|^2 - 3) - mu (J - 1) + lambda/2 (J - 1)^2,  P = mu F + (lambda (J - 1) - mu) cof F.

#include "sim/material/model.h"

namespace firn {

template <class V>
struct NeoHookean {
    V mu, lambda;  // Pa

    template <class F, class... M>
    static void zipParameters(const F& f, M&... models)
    {
        f(models.mu...);
        f(models.lambda...);
    }

    /// Stands for a key "model": no snow has this modulus.
    static bool describes(const SnowMaterial& keys) { return keys.youngs_modulus_pa == 1e6; }
    static NeoHookean<double> of(const SnowMaterial&, bool) { return {3e5, 5e5}; }

    double yieldSpeed(double) const { return 1e30; }

    V energyDensity(const MaterialState<V>& s) const
    {
        V squared{};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) squared += s.F_E[i][j] * s.F_E[i][j];
        const V dilation = determinant(s.F_E) - 1;
        return s.modulus_factor * (mu / 2 * (squared - 3) - mu * dilation + lambda / 2 * dilation * dilation);
    }

    Mat3<V> firstPiolaStress(const MaterialState<V>& s) const
    {
        const Mat3<V> cof = cofactors(s.F_E);
        const V pressure = lambda * (determinant(s.F_E) - 1) - mu;
        Mat3<V> P;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) P[i][j] = s.modulus_factor * (mu * s.F_E[i][j] + pressure * cof[i][j]);
        return P;
    }

    Mat3<V> stressDifferential(const MaterialState<V>& s, const Mat3<V>& dF) const
    {
        const Mat3<V> cof = cofactors(s.F_E), dCof = cofactorDifferential(s.F_E, dF);
        const V pressure = lambda * (determinant(s.F_E) - 1) - mu;
        V dJ{};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) dJ += cof[i][j] * dF[i][j];
        Mat3<V> dP;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                dP[i][j] = s.modulus_factor * (mu * dF[i][j] + lambda * dJ * cof[i][j] + pressure * dCof[i][j]);
        return dP;
    }

    /// mu (F F^T - I) + (lambda J - mu) (J - 1) I
    Symmetric3<V> kirchhoffStress(const MaterialState<V>& s) const
    {
        const V J = determinant(s.F_E);
        return addToDiagonal(scaled(leftCauchyGreenMinusIdentity(s.F_E), mu * s.modulus_factor),
                             s.modulus_factor * (lambda * J - mu) * (J - 1));
    }

    /// F F^T, mu V_0, lambda J^2 V_0 and (lambda (J - 1) - mu) J V_0.
    Tangent<V> tangent(const MaterialState<V>& s, V volume0, V, bool definite) const
    {
        const Symmetric3<V> b = addToDiagonal(leftCauchyGreenMinusIdentity(s.F_E), V{} + 1.f);
        const V J = determinant(s.F_E), scale = volume0 * s.modulus_factor;
        const V pressure = (lambda * (J - 1) - mu) * J * scale;
        return {b.xx, b.yy, b.zz, b.xy, b.xz, b.yz, mu * scale, lambda * J * J * scale, definite ? V{} : pressure};
    }

    /// mu G b + lambda J^2 tr(G) I + (lambda (J - 1) - mu) J (tr(G) I - G^T), as d cof F F^T = J (tr(G) I - G^T).
    static Mat3<V> stressRate(const Tangent<V>& t, const Mat3<V>& G, bool)
    {
        const Mat3<V> b{{{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}}};
        const V trace = G[0][0] + G[1][1] + G[2][2];
        Mat3<V> K = G * b;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                K[i][j] = t[6] * K[i][j] - t[8] * G[j][i] + (i == j ? (t[7] + t[8]) * trace : V{});
        return K;
    }

    static V meanModulus(const Tangent<V>& t) { return t[6] + t[7] / 3; }
    void plasticReturn(MaterialState<V>&) const {}
    V waveModulus(const MaterialState<V>& s) const { return (lambda + mu) * s.modulus_factor; }
};

}  // namespace firn
