#pragma once
// 3x3 matrices over float, double or Batch, for hot loops; a[row][column].

#include "sim/simd/batch.h"

namespace firn {

template <class V>
struct Mat3 {
    V a[3][3];

    V* operator[](int row) { return a[row]; }
    const V* operator[](int row) const { return a[row]; }

    static Mat3 identity()
    {
        Mat3 m;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m.a[i][j] = V{} + (i == j ? 1.f : 0.f);
        return m;
    }
};

template <class V>
Mat3<V> transposed(const Mat3<V>& m)
{
    Mat3<V> t;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) t[i][j] = m[j][i];
    return t;
}

/// x + s y
template <class V>
Mat3<V> plusScaled(Mat3<V> x, V s, const Mat3<V>& y)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) x[i][j] += s * y[i][j];
    return x;
}

template <class V>
Mat3<V> operator*(const Mat3<V>& x, const Mat3<V>& y)
{
    Mat3<V> m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] = x[i][0] * y[0][j] + x[i][1] * y[1][j] + x[i][2] * y[2][j];
    return m;
}

/// x y^T
template <class V>
Mat3<V> timesTransposed(const Mat3<V>& x, const Mat3<V>& y)
{
    Mat3<V> m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] = x[i][0] * y[j][0] + x[i][1] * y[j][1] + x[i][2] * y[j][2];
    return m;
}

/// x^T y
template <class V>
Mat3<V> transposedTimes(const Mat3<V>& x, const Mat3<V>& y)
{
    Mat3<V> m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] = x[0][i] * y[0][j] + x[1][i] * y[1][j] + x[2][i] * y[2][j];
    return m;
}

/// Matrix of cofactors: cof F = J F^-T; its columns are f1 x f2, f2 x f0, f0 x f1 of the columns f of F.
template <class V>
Mat3<V> cofactors(const Mat3<V>& F)
{
    Mat3<V> c;
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = F[i1][j1] * F[i2][j2] - F[i1][j2] * F[i2][j1];
        }
    }
    return c;
}

/// Change of cof F with F: bilinear, so no division by J.
template <class V>
Mat3<V> cofactorDifferential(const Mat3<V>& F, const Mat3<V>& dF)
{
    Mat3<V> c;
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = dF[i1][j1] * F[i2][j2] + F[i1][j1] * dF[i2][j2] - dF[i1][j2] * F[i2][j1] - F[i1][j2] * dF[i2][j1];
        }
    }
    return c;
}

template <class V>
V determinant(const Mat3<V>& F)
{
    return F[0][0] * (F[1][1] * F[2][2] - F[1][2] * F[2][1]) + F[0][1] * (F[1][2] * F[2][0] - F[1][0] * F[2][2]) +
           F[0][2] * (F[1][0] * F[2][1] - F[1][1] * F[2][0]);
}

}  // namespace firn
