#pragma once
// Random 3x3 matrices in double, their inner product and distance, for tests of the material models.

#include <cmath>
#include <random>

#include "sim/simd/symmetric3.h"

namespace firn {

using Matrix = Mat3<double>;

/// Normal entries of the given spread about `center` times the identity.
inline Matrix randomMatrix(std::mt19937& random, double spread, double center)
{
    std::normal_distribution<double> normal(0, spread);
    Matrix m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] = (i == j ? center : 0) + normal(random);
    return m;
}

inline double dot(const Matrix& a, const Matrix& b)
{
    double sum = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += a[i][j] * b[i][j];
    return sum;
}

inline double distance(const Matrix& a, const Matrix& b)
{
    Matrix d;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) d[i][j] = a[i][j] - b[i][j];
    return std::sqrt(dot(d, d));
}

inline Matrix full(const Symmetric3<double>& s)
{
    return {{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}};
}

}  // namespace firn
