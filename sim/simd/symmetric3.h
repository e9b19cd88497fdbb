#pragma once
// Symmetric 3x3 matrices over float, double or Batch.

#include "sim/simd/mat3.h"

namespace firn {

template <class V>
struct Symmetric3 {
    V xx, yy, zz, xy, xz, yz;
};

template <class V>
Symmetric3<V> scaled(const Symmetric3<V>& m, V by)
{
    return {m.xx * by, m.yy * by, m.zz * by, m.xy * by, m.xz * by, m.yz * by};
}

template <class V>
Symmetric3<V> addToDiagonal(const Symmetric3<V>& m, V value)
{
    return {m.xx + value, m.yy + value, m.zz + value, m.xy, m.xz, m.yz};
}

/// The product of two matrices that commute, which is symmetric too.
template <class V>
Symmetric3<V> commutingProduct(const Symmetric3<V>& a, const Symmetric3<V>& b)
{
    return {a.xx * b.xx + a.xy * b.xy + a.xz * b.xz, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
            a.xz * b.xz + a.yz * b.yz + a.zz * b.zz, a.xx * b.xy + a.xy * b.yy + a.xz * b.yz,
            a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.xy * b.xz + a.yy * b.yz + a.yz * b.zz};
}

/// U diag(e) U^T
template <class V>
Symmetric3<V> fromEigenvalues(const Mat3<V>& U, const V (&e)[3])
{
    const auto entry = [&](int i, int j) {
        return e[0] * U[i][0] * U[j][0] + e[1] * U[i][1] * U[j][1] + e[2] * U[i][2] * U[j][2];
    };
    return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

/// F^T F - I. It is computed as G + G^T + G^T G with G = F - I, which loses no digits near the identity.
template <class V>
Symmetric3<V> rightCauchyGreenMinusIdentity(const Mat3<V>& F)
{
    Mat3<V> G = F;
    for (int k = 0; k < 3; ++k) G[k][k] -= 1;
    const auto entry = [&](int i, int j) {
        return G[i][j] + G[j][i] + (G[0][i] * G[0][j] + G[1][i] * G[1][j] + G[2][i] * G[2][j]);
    };
    return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

/// F F^T - I, in the same manner.
template <class V>
Symmetric3<V> leftCauchyGreenMinusIdentity(const Mat3<V>& F)
{
    return rightCauchyGreenMinusIdentity(transposed(F));
}

}  // namespace firn
