#pragma once
// Singular value decomposition F = U diag(sigma) V^T of 3x3 matrices without branches, for many matrices at a time.
// V diagonalises F^T F by cyclic Jacobi rotations (Golub and Van Loan, section 8.5); the columns of F V are then
// orthogonal, their lengths are the singular values. They are not sorted. F must not be singular. For det F < 0 the
// result is a valid decomposition whose U is a reflection. The error grows with the square of the condition number,
// which plastic return keeps near one.

#include "sim/simd/mat3.h"

namespace firn {

template <class V>
struct Svd {
    Mat3<V> U;
    V sigma[3];
    Mat3<V> Vm;
};

/// One Jacobi rotation in the plane (p, q) of the symmetric S, accumulated into Q.
template <int p, int q, class V>
inline void rotate(Mat3<V>& S, Mat3<V>& Q)
{
    constexpr int r = 3 - p - q;
    const V off = S[p][q];
    const V gap = S[q][q] - S[p][p];
    const V squared = gap * gap + 4 * off * off + V{} + 1e-30f;
    const V root = squared * inverseSquareRoot(squared);
    const V denominator = gap + select(gap < V{}, -root, root);
    const V t = 2 * off * reciprocal(denominator);  // tangent of the smaller angle
    const V c = inverseSquareRoot(1 + t * t);
    const V s = t * c;
    S[p][p] -= t * off;
    S[q][q] += t * off;
    S[p][q] = V{};
    const V Spr = S[p < r ? p : r][p < r ? r : p], Sqr = S[q < r ? q : r][q < r ? r : q];
    S[p < r ? p : r][p < r ? r : p] = c * Spr - s * Sqr;
    S[q < r ? q : r][q < r ? r : q] = s * Spr + c * Sqr;
    for (int i = 0; i < 3; ++i) {
        const V a = Q[i][p], b = Q[i][q];
        Q[i][p] = c * a - s * b;
        Q[i][q] = s * a + c * b;
    }
}

template <class V>
constexpr int jacobiSweeps = 4;
template <>
inline constexpr int jacobiSweeps<double> = 6;

template <class V>
Svd<V> svd(const Mat3<V>& F)
{
    Svd<V> result;
    Mat3<V> S = transposedTimes(F, F);
    result.Vm = Mat3<V>::identity();
    for (int sweep = 0; sweep < jacobiSweeps<V>; ++sweep) {
        rotate<0, 1>(S, result.Vm);
        rotate<0, 2>(S, result.Vm);
        rotate<1, 2>(S, result.Vm);
    }
    result.U = F * result.Vm;
    for (int j = 0; j < 3; ++j) {
        V& x = result.U[0][j];
        V& y = result.U[1][j];
        V& z = result.U[2][j];
        const V squared = x * x + y * y + z * z;
        const V inverse = inverseSquareRoot(larger(squared, V{} + 1e-30f));
        result.sigma[j] = squared * inverse;
        x *= inverse;
        y *= inverse;
        z *= inverse;
    }
    return result;
}

}  // namespace firn
