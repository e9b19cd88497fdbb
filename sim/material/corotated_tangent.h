#pragma once
// The rate of the stress of fixed corotated elasticity under a velocity gradient, for the semi-implicit step.
//
// With dF = G F the force differential of Stomakhin et al. 2013, section 4.1 needs K(G) = V_0 dP(G F) F^T. With the
// left polar decomposition F = S R and the change of rotation dR = Omega R, Omega skew,
//   K(G) / V_0 = 2 mu (G S - Omega) S + lambda J^2 tr(G) I + lambda (J - 1) J (tr(G) I - G^T),
// where Omega S + S Omega = G S - (G S)^T, a 3x3 system for the axial vectors: (tr(S) I - S) omega = axial(G S - S
// G^T). So an iteration reads S and three factors per particle.

#include "sim/material/fixed_corotated.h"

namespace firn {

template <class V>
struct CorotatedTangent {
    Symmetric3<V> S;  // left stretch
    V shear;          // 2 mu V_0
    V bulk;           // lambda J^2 V_0
    V pressure;       // lambda (J - 1) J V_0

    Tangent<V> packed() const { return {S.xx, S.yy, S.zz, S.xy, S.xz, S.yz, shear, bulk, pressure}; }
    static CorotatedTangent unpacked(const Tangent<V>& t)
    {
        return {{t[0], t[1], t[2], t[3], t[4], t[5]}, t[6], t[7], t[8]};
    }
};

template <class V>
CorotatedTangent<V> corotatedTangent(const Mat3<V>& F, const Symmetric3<V>& S, V mu, V lambda, V volume0)
{
    const V J = determinant(F);
    return {S, 2 * mu * volume0, lambda * J * J * volume0, lambda * (J - 1) * J * volume0};
}

/// The tangent without its pressure term, which can make it indefinite under compression. The rotation term can too,
/// where sigma_i + sigma_j < 2: apply it with definiteShare.
template <class V>
CorotatedTangent<V> withoutPressure(CorotatedTangent<V> tangent)
{
    tangent.pressure = V{};
    return tangent;
}

/// A lower bound of min(1, (sigma_i + sigma_j) / 2) over the pairs of stretches: the share of the rotation term that
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

/// K(G). `rotationShare` is 1 for the exact rate, definiteShare(S) for a definite one.
template <class V>
Mat3<V> stressRate(const CorotatedTangent<V>& k, const Mat3<V>& G, V rotationShare)
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
