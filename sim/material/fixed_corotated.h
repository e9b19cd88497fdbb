#pragma once
// Fixed corotated elasticity (Stomakhin et al. 2012; eq. 1 of Stomakhin et al. 2013):
//   Psi = mu |F - R|^2 + lambda/2 (J - 1)^2,  F = R S the polar decomposition, J = det F.

#include "sim/material/model.h"
#include "sim/simd/svd.h"

namespace firn {

/// Lame parameters from Young's modulus (Pa) and Poisson's ratio.
inline double lameMu(double youngsModulus, double poissonRatio) { return youngsModulus / (2 * (1 + poissonRatio)); }
inline double lameLambda(double youngsModulus, double poissonRatio)
{
    return youngsModulus * poissonRatio / ((1 + poissonRatio) * (1 - 2 * poissonRatio));
}

/// Energy density Psi, J/m^3.
template <class V>
V energyDensity(const Mat3<V>& F, V mu, V lambda)
{
    const Svd<V> d = svd(F);
    V deviation{};
    for (int k = 0; k < 3; ++k) deviation += (d.sigma[k] - 1) * (d.sigma[k] - 1);
    const V volumetric = determinant(F) - 1;
    return mu * deviation + lambda / 2 * volumetric * volumetric;
}

/// First Piola-Kirchhoff stress dPsi/dF, Pa: 2 mu (F - R) + lambda (J - 1) cof F.
template <class V>
Mat3<V> firstPiolaStress(const Mat3<V>& F, V mu, V lambda)
{
    const Svd<V> d = svd(F);
    const Mat3<V> R = timesTransposed(d.U, d.Vm), cof = cofactors(F);
    const V pressure = lambda * (determinant(F) - 1);
    Mat3<V> P;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) P[i][j] = 2 * mu * (F[i][j] - R[i][j]) + pressure * cof[i][j];
    return P;
}

/// Change of the first Piola-Kirchhoff stress with F (technical report, section 3):
/// 2 mu (dF - dR) + lambda cof F (cof F : dF) + lambda (J - 1) d cof F. In the frames of the singular vectors the
/// change of rotation is (A - A^T)_ij / (s_i + s_j) with A = U^T dF V.
template <class V>
Mat3<V> stressDifferential(const Mat3<V>& F, const Mat3<V>& dF, V mu, V lambda)
{
    const Svd<V> d = svd(F);
    const Mat3<V> A = transposedTimes(d.U, dF * d.Vm);
    Mat3<V> W;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) W[i][j] = (A[i][j] - A[j][i]) / (d.sigma[i] + d.sigma[j]);
    const Mat3<V> dR = timesTransposed(d.U * W, d.Vm);
    const Mat3<V> cof = cofactors(F), dCof = cofactorDifferential(F, dF);
    V dJ{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) dJ += cof[i][j] * dF[i][j];
    const V J = determinant(F);
    Mat3<V> dP;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            dP[i][j] = 2 * mu * (dF[i][j] - dR[i][j]) + lambda * (cof[i][j] * dJ + (J - 1) * dCof[i][j]);
    return dP;
}

/// Kirchhoff stress P F^T (symmetric, Pa) = U diag(2 mu (s - 1) s + lambda (J - 1) J) U^T.
template <class V>
Symmetric3<V> kirchhoffStress(const Mat3<V>& F, V mu, V lambda)
{
    const Svd<V> d = svd(F);
    const V J = d.sigma[0] * d.sigma[1] * d.sigma[2];
    const V pressure = lambda * (J - 1) * J;
    V e[3];
    for (int k = 0; k < 3; ++k) e[k] = 2 * mu * (d.sigma[k] - 1) * d.sigma[k] + pressure;
    return fromEigenvalues(d.U, e);
}

/// The largest |1 - stretch| for which the series below is as exact as float.
constexpr double seriesLimit = 0.05;

/// F F^T - sqrt(F F^T) for stretches within 1 +- seriesLimit, from E = F F^T - I and without a decomposition: the left
/// stretch is sqrt(I + E) = I + E/2 - E^2/8 + E^3/16 - 5 E^4/128 + 7 E^5/256 + O(E^6). The series ends at E^5; the
/// error is below 5e-7 of the result.
template <class V>
Symmetric3<V> squareMinusStretch(const Symmetric3<V>& E)
{
    Symmetric3<V> series = scaled(E, V{} - 7.f / 256);  // Horner's rule
    for (const float c : {5.f / 128, -1.f / 16, 1.f / 8, 1.f / 2})
        series = commutingProduct(addToDiagonal(series, V{} + c), E);
    return series;
}

/// Kirchhoff stress tau = 2 mu (F F^T - sqrt(F F^T)) + lambda (J - 1) J I by that series.
template <class V>
Symmetric3<V> kirchhoffStressNearRest(const Mat3<V>& F, V mu, V lambda)
{
    const V J = determinant(F);
    return addToDiagonal(scaled(squareMinusStretch(leftCauchyGreenMinusIdentity(F)), 2 * mu), lambda * (J - 1) * J);
}

/// Left stretch S = (F F^T)^(1/2).
template <class V>
Symmetric3<V> leftStretch(const Mat3<V>& F)
{
    const Svd<V> d = svd(F);
    return fromEigenvalues(d.U, d.sigma);
}

/// The same where all stretches are within 1 +- seriesLimit.
template <class V>
Symmetric3<V> leftStretchNearRest(const Mat3<V>& F)
{
    const Symmetric3<V> E = leftCauchyGreenMinusIdentity(F), excess = squareMinusStretch(E);
    return {1 + E.xx - excess.xx, 1 + E.yy - excess.yy, 1 + E.zz - excess.zz,
            E.xy - excess.xy,     E.xz - excess.xz,     E.yz - excess.yz};
}

}  // namespace firn
