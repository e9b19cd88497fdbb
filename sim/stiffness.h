#pragma once
// The linear answer of a particle's stress to a change of its velocity gradient, for the semi-implicit step.
//
// With dF = G F the force differential of Stomakhin et al. 2013, section 4.1 needs K(G) = V_0 dP(G F) F^T. Writing the
// left polar decomposition F = S R and the change of rotation as dR = Omega R, Omega skew,
//   K(G) / V_0 = 2 mu (G S - Omega) S + lambda J^2 tr(G) I + lambda (J - 1) J (tr(G) I - G^T),
// where Omega S + S Omega = G S - (G S)^T, a 3x3 system for the axial vectors: (tr(S) I - S) omega = axial(G S - S
// G^T). So S and three factors are all that an iteration reads of a particle.

#include "sim/constitutive.h"

namespace firn {

template <class V>
struct Stiffness {
    Symmetric3<V> S;  // left stretch
    V shear;          // 2 mu V_0
    V bulk;           // lambda J^2 V_0
    V pressure;       // lambda (J - 1) J V_0
};

/// Left stretch (F F^T)^(1/2).
template <class V>
Symmetric3<V> leftStretch(const Mat3<V>& F)
{
    const Svd<V> d = svd(F);
    const auto entry = [&](int i, int j) {
        return d.sigma[0] * d.U[i][0] * d.U[j][0] + d.sigma[1] * d.U[i][1] * d.U[j][1] +
               d.sigma[2] * d.U[i][2] * d.U[j][2];
    };
    return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

/// The same where all stretches are within 1 +- seriesLimit.
template <class V>
Symmetric3<V> leftStretchNearRest(const Mat3<V>& F)
{
    const Symmetric3<V> E = rightMinusIdentity(F), excess = squareMinusStretch(E);
    return {1 + E.xx - excess.xx, 1 + E.yy - excess.yy, 1 + E.zz - excess.zz,
            E.xy - excess.xy,     E.xz - excess.xz,     E.yz - excess.yz};
}

template <class V>
Stiffness<V> stiffness(const Mat3<V>& F, const Symmetric3<V>& S, V mu, V lambda, V volume0)
{
    const V J = determinant(F);
    return {S, 2 * mu * volume0, lambda * J * J * volume0, lambda * (J - 1) * J * volume0};
}

/// The stiffness without what can make it indefinite under compression: the pressure term goes, and the rotation term
/// shrinks (see definiteShare) to what it would be at sigma_i + sigma_j >= 2.
template <class V>
Stiffness<V> withoutPressure(Stiffness<V> k)
{
    k.pressure = V{};
    return k;
}

/// A lower bound of min(1, (sigma_i + sigma_j) / 2) over the pairs of stretches; the share of the rotation term that
/// keeps 2 mu (dF - dR) : dF from being negative.
template <class V>
V definiteShare(const Symmetric3<V>& S)
{
    const V x = S.xx - 1, y = S.yy - 1, z = S.zz - 1;
    const V largest = 1 + squareRoot(x * x + y * y + z * z + 2 * (S.xy * S.xy + S.xz * S.xz + S.yz * S.yz));
    return larger(V{}, smaller(V{} + 1.f, (S.xx + S.yy + S.zz - largest) / 2));
}

/// Inverse of tr(S) I - S.
template <class V>
Symmetric3<V> rotationInverse(const Symmetric3<V>& S)
{
    const V a = S.yy + S.zz, b = S.xx + S.zz, c = S.xx + S.yy, d = -S.xy, e = -S.xz, f = -S.yz;
    const V xx = b * c - f * f, yy = a * c - e * e, zz = a * b - d * d;
    const V xy = e * f - d * c, xz = d * f - e * b, yz = d * e - a * f;
    const V inverse = reciprocal(a * xx + d * xy + e * xz);
    return {xx * inverse, yy * inverse, zz * inverse, xy * inverse, xz * inverse, yz * inverse};
}

/// K(G). `rotationShare` is 1 for the exact answer, definiteShare(S) for a definite one.
template <class V>
Mat3<V> stressAnswer(const Stiffness<V>& k, const Mat3<V>& G, V rotationShare)
{
    const Symmetric3<V>& S = k.S;
    Mat3<V> Q;  // G S
    for (int i = 0; i < 3; ++i) {
        Q[i][0] = G[i][0] * S.xx + G[i][1] * S.xy + G[i][2] * S.xz;
        Q[i][1] = G[i][0] * S.xy + G[i][1] * S.yy + G[i][2] * S.yz;
        Q[i][2] = G[i][0] * S.xz + G[i][1] * S.yz + G[i][2] * S.zz;
    }
    const V x = Q[2][1] - Q[1][2], y = Q[0][2] - Q[2][0], z = Q[1][0] - Q[0][1];
    const Symmetric3<V> inverse = rotationInverse(S);
    const V wx = rotationShare * (inverse.xx * x + inverse.xy * y + inverse.xz * z);
    const V wy = rotationShare * (inverse.xy * x + inverse.yy * y + inverse.yz * z);
    const V wz = rotationShare * (inverse.xz * x + inverse.yz * y + inverse.zz * z);
    Q[0][1] += wz, Q[1][0] -= wz;
    Q[0][2] -= wy, Q[2][0] += wy;
    Q[1][2] += wx, Q[2][1] -= wx;
    const V trace = G[0][0] + G[1][1] + G[2][2];
    const V isotropic = (k.bulk + k.pressure) * trace;
    Mat3<V> K;
    for (int i = 0; i < 3; ++i) {
        const V rows[3] = {Q[i][0] * S.xx + Q[i][1] * S.xy + Q[i][2] * S.xz,
                           Q[i][0] * S.xy + Q[i][1] * S.yy + Q[i][2] * S.yz,
                           Q[i][0] * S.xz + Q[i][1] * S.yz + Q[i][2] * S.zz};
        for (int j = 0; j < 3; ++j) K[i][j] = k.shear * rows[j] - k.pressure * G[j][i];
        K[i][i] += isotropic;
    }
    return K;
}

}  // namespace firn
