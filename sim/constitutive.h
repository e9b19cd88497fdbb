#pragma once
// The snow model of Stomakhin et al. 2013: fixed corotated elasticity with multiplicative plasticity and hardening.
//   Psi = mu |F_E - R_E|^2 + lambda/2 (J_E - 1)^2,  mu, lambda = mu_0, lambda_0 exp(xi (1 - J_P))      (eqs. 1, 2)
// F_P enters through J_P = det F_P alone, so J_P is all that is kept of it.

#include "sim/svd.h"

namespace firn {

/// Parameters of one snow, ready for use per particle; moduli in Pa.
struct SnowModel {
    double mu0 = 58333.333333333336, lambda0 = 38888.888888888891;
    double hardening = 10;        // xi
    double min_stretch = 0.975;   // 1 - theta_c
    double max_stretch = 1.0075;  // 1 + theta_s
    double min_J_P = 0.6, max_J_P = 20;
    double max_hardening = 20;  // upper bound of exp(xi (1 - J_P))
    bool plastic = true;
};

/// Lame parameters from Young's modulus (Pa) and Poisson's ratio.
inline double lameMu(double youngsModulus, double poissonRatio) { return youngsModulus / (2 * (1 + poissonRatio)); }
inline double lameLambda(double youngsModulus, double poissonRatio)
{
    return youngsModulus * poissonRatio / ((1 + poissonRatio) * (1 - 2 * poissonRatio));
}

/// exp(xi (1 - J_P)), bounded above.
template <class V>
V hardeningFactor(V J_P, V xi, V bound)
{
    return smaller(exponential(xi * (1 - J_P)), bound);
}

/// First Piola-Kirchhoff stress dPsi/dF_E, Pa: 2 mu (F - R) + lambda (J - 1) cof F.
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

/// Change of the first Piola-Kirchhoff stress with F_E (technical report, section 3):
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

/// Six entries of a symmetric matrix: xx, yy, zz, xy, xz, yz.
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

/// F^T F - I. With G = F - I it is G + G^T + G^T G, which loses no digits near the identity.
template <class V>
Symmetric3<V> leftMinusIdentity(const Mat3<V>& F)
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
Symmetric3<V> rightMinusIdentity(const Mat3<V>& F)
{
    Mat3<V> T;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) T[i][j] = F[j][i];
    return leftMinusIdentity(T);
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
    const auto entry = [&](int i, int j) {
        return e[0] * d.U[i][0] * d.U[j][0] + e[1] * d.U[i][1] * d.U[j][1] + e[2] * d.U[i][2] * d.U[j][2];
    };
    return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

/// The largest |1 - stretch| for which the series below is as exact as float.
constexpr double seriesLimit = 0.05;

/// F F^T - sqrt(F F^T) for stretches within 1 +- seriesLimit, from E = F F^T - I and without a decomposition: the left
/// stretch is sqrt(I + E) = I + E/2 - E^2/8 + E^3/16 - 5 E^4/128 + 7 E^5/256 + O(E^6). Cut off at E^5, the error is
/// below 5e-7 of the result.
template <class V>
Symmetric3<V> squareMinusStretch(const Symmetric3<V>& E)
{
    const auto times = [](const Symmetric3<V>& a, const Symmetric3<V>& b) {  // of matrices that commute
        return Symmetric3<V>{a.xx * b.xx + a.xy * b.xy + a.xz * b.xz, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
                             a.xz * b.xz + a.yz * b.yz + a.zz * b.zz, a.xx * b.xy + a.xy * b.yy + a.xz * b.yz,
                             a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.xy * b.xz + a.yy * b.yz + a.yz * b.zz};
    };
    Symmetric3<V> series = scaled(E, V{} - 7.f / 256);  // Horner's rule
    for (const float c : {5.f / 128, -1.f / 16, 1.f / 8, 1.f / 2}) series = times(addToDiagonal(series, V{} + c), E);
    return series;
}

/// Kirchhoff stress tau = 2 mu (F F^T - sqrt(F F^T)) + lambda (J - 1) J I by that series.
template <class V>
Symmetric3<V> kirchhoffStressNearRest(const Mat3<V>& F, V mu, V lambda)
{
    const V J = determinant(F);
    return addToDiagonal(scaled(squareMinusStretch(rightMinusIdentity(F)), 2 * mu), lambda * (J - 1) * J);
}

/// Whether no singular value of F can lie outside [minStretch, maxStretch], told by |F^T F - I| alone: its eigenvalues
/// are sigma^2 - 1 and none exceeds its Frobenius norm.
template <class V>
auto surelyElastic(const Mat3<V>& F, V minStretch, V maxStretch)
{
    const Symmetric3<V> E = leftMinusIdentity(F);
    const V squared = E.xx * E.xx + E.yy * E.yy + E.zz * E.zz + 2 * (E.xy * E.xy + E.xz * E.xz + E.yz * E.yz);
    const V bound = smaller(maxStretch * maxStretch - 1, 1 - minStretch * minStretch);
    return squared < bound * bound;
}

/// Plastic return (section 5.3): singular values of F_E clamped to [1 - theta_c, 1 + theta_s]; what is cut off goes to
/// F_P, so that F_E F_P is unchanged: J_P grows by the ratio of the determinants. J_P itself is bounded to the
/// model's range.
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

}  // namespace firn
