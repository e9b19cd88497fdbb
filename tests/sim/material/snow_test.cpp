// Point tests of the snow model against closed forms, E = 1.4e5 Pa, nu = 0.2, theta_c = 0.025,
// theta_s = 0.0075, xi = 10: mu = E / (2 (1 + nu)) = 58333.33 Pa, lambda = E nu / ((1 + nu)(1 - 2 nu)) = 38888.89 Pa,
// M = lambda + 2 mu = 155555.56 Pa.

#include <catch2/catch.hpp>
#include <random>

#include "sim/material/snow.h"
#include "tests/sim/random_matrix.h"

using namespace firn;

namespace {

const double mu = lameMu(1.4e5, 0.2), lambda = lameLambda(1.4e5, 0.2);
const double M = lambda + 2 * mu;

Matrix diagonal(double x, double y, double z)
{
    Matrix m = Matrix::identity();
    m[0][0] = x, m[1][1] = y, m[2][2] = z;
    return m;
}

Matrix add(const Matrix& a, const Matrix& b, double scale)
{
    Matrix m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] = a[i][j] + scale * b[i][j];
    return m;
}

/// What the model does to F from rest: plastic return, hardening, and the stress against the undeformed area,
/// P(F_E) F_P^-T, for deformations with the axes of F as principal axes.
double firstPiola11(const Matrix& F)
{
    Matrix F_E = F;
    double J_P = 1;
    plasticReturn(F_E, J_P, 1 - 0.025, 1 + 0.0075, 0.0, 1e30);
    const double h = hardeningFactor(J_P, 10.0, 1e30);
    return firstPiolaStress(F_E, mu * h, lambda * h)[0][0] * F_E[0][0] / F[0][0];
}

}  // namespace

TEST_CASE("Lame parameters and wave speeds follow from E and nu", "[material]")
{
    CHECK(mu == Approx(58333.33).epsilon(1e-7));
    CHECK(lambda == Approx(38888.89).epsilon(1e-7));
    CHECK(std::sqrt(M / 400) == Approx(19.7203).epsilon(1e-5));      // pressure wave
    CHECK(std::sqrt(1.4e5 / 400) == Approx(18.7083).epsilon(1e-5));  // thin bar
    CHECK(std::sqrt(mu / 400) == Approx(12.0762).epsilon(1e-5));     // shear wave
}

TEST_CASE("Stress is the derivative of the energy", "[material]")
{
    // Central differences of order h^2 with Richardson's extrapolation: error of order h^4.
    std::mt19937 random(1);
    for (int trial = 0; trial < 200; ++trial) {
        const Matrix F = randomMatrix(random, 0.15, 1), dF = randomMatrix(random, 1, 0);
        const auto slope = [&](double h) {
            return (energyDensity(add(F, dF, h), mu, lambda) - energyDensity(add(F, dF, -h), mu, lambda)) / (2 * h);
        };
        const double numeric = (4 * slope(1e-3) - slope(2e-3)) / 3;
        const Matrix P = firstPiolaStress(F, mu, lambda);
        CHECK(dot(P, dF) == Approx(numeric).margin(1e-8 * std::sqrt(dot(P, P) * dot(dF, dF)) + 1e-8 * mu));
    }
}

TEST_CASE("Stress differential is the derivative of the stress", "[material]")
{
    std::mt19937 random(2);
    for (int trial = 0; trial < 200; ++trial) {
        const Matrix F = randomMatrix(random, 0.15, 1), dF = randomMatrix(random, 1, 0);
        const double h = 1e-5;
        Matrix numeric =
            add(firstPiolaStress(add(F, dF, h), mu, lambda), firstPiolaStress(add(F, dF, -h), mu, lambda), -1);
        for (auto& row : numeric.a)
            for (double& entry : row) entry /= 2 * h;
        const Matrix dP = stressDifferential(F, dF, mu, lambda);
        CHECK(distance(dP, numeric) <= 1e-6 * std::sqrt(dot(dP, dP)));
    }
}

TEST_CASE("Stress differential is symmetric", "[material]")
{
    std::mt19937 random(3);
    for (int trial = 0; trial < 1000; ++trial) {
        const Matrix F = randomMatrix(random, 0.15, 1), dF = randomMatrix(random, 1, 0),
                     dG = randomMatrix(random, 1, 0);
        const Matrix dP = stressDifferential(F, dF, mu, lambda);
        const double a = dot(dG, dP), b = dot(dF, stressDifferential(F, dG, mu, lambda));
        CHECK(std::abs(a - b) <= 1e-12 * std::sqrt(dot(dG, dG) * dot(dP, dP)));
    }
}

TEST_CASE("Under hydrostatic compression the energy is indefinite for rotations", "[material]")
{
    // F = s I, dF skew with |dF|^2 = 2: dR = dF / s, cof F : dF = 0, d cof F = s (tr(dF) I - dF^T) = s dF, so
    // dF : dP = 2 (2 mu (1 - 1/s) + lambda (s^3 - 1) s) = 2 P / s with P = 2 mu (s - 1) + lambda (s^3 - 1) s^2.
    for (const auto& [s, expected] : {std::pair{0.975, -11529.4}, std::pair{0.8, -88697.8}}) {
        Matrix dF = diagonal(0, 0, 0);
        dF[0][1] = -1, dF[1][0] = 1;
        const Matrix F = diagonal(s, s, s);
        const double P = firstPiolaStress(F, mu, lambda)[0][0];
        const double curvature = dot(dF, stressDifferential(F, dF, mu, lambda));
        CHECK(curvature == Approx(2 * P / s).epsilon(1e-9));
        CHECK(curvature == Approx(expected).epsilon(1e-5));
    }
}

TEST_CASE("Confined compression, elastic: Cauchy stress M (s - 1) along, lambda (s - 1) across", "[material]")
{
    const Matrix P = firstPiolaStress(diagonal(0.99, 1, 1), mu, lambda);
    CHECK(P[0][0] == Approx(M * (0.99 - 1)).epsilon(1e-12));
    CHECK(P[1][1] / 0.99 == Approx(lambda * (0.99 - 1)).epsilon(1e-12));  // sigma = P F^T / J
    CHECK(P[0][0] == Approx(-1555.556).epsilon(1e-6));
    CHECK(P[2][2] / 0.99 == Approx(-388.889).epsilon(1e-6));
}

TEST_CASE("Confined compression, plastic: -M exp(xi (1 - J_P)) theta_c / J_P with J_P = s / (1 - theta_c)",
          "[material]")
{
    for (const auto& [s, expected] :
         {std::pair{0.95, -5157.795}, std::pair{0.9, -9092.019}, std::pair{0.8, -28526.15}}) {
        const double J_P = s / 0.975;
        const double stress = firstPiola11(diagonal(s, 1, 1));
        CHECK(stress == Approx(-M * std::exp(10 * (1 - J_P)) * 0.025 / J_P).epsilon(1e-12));
        CHECK(stress == Approx(expected).epsilon(1e-6));
    }
}

TEST_CASE("Tension softens beyond theta_s: M exp(xi (1 - J_P)) theta_s / J_P with J_P = s / (1 + theta_s)",
          "[material]")
{
    for (const auto& [s, expected] :
         {std::pair{1.0075, 1166.667}, std::pair{1.02, 1017.909}, std::pair{1.1, 426.646}}) {
        const double J_P = s / 1.0075;
        const double stress = firstPiola11(diagonal(s, 1, 1));
        CHECK(stress == Approx(M * std::exp(10 * (1 - J_P)) * 0.0075 / J_P).epsilon(1e-12));
        CHECK(stress == Approx(expected).epsilon(1e-6));
    }
}

TEST_CASE("Uniaxial stress with free sides: lambda s^2 t^3 + (2 mu - lambda s) t = 2 mu", "[material]")
{
    const double s = 0.99;
    double t = 1;  // Newton's method on the cubic for the lateral stretch
    for (int i = 0; i < 50; ++i)
        t -= (lambda * s * s * t * t * t + (2 * mu - lambda * s) * t - 2 * mu) /
             (3 * lambda * s * s * t * t + 2 * mu - lambda * s);
    CHECK(t == Approx(1.001998).epsilon(1e-6));
    const Matrix P = firstPiolaStress(diagonal(s, t, t), mu, lambda);
    CHECK(std::abs(P[1][1]) <= 1e-9 * std::abs(P[0][0]));
    CHECK(P[0][0] == Approx(-1402.533).epsilon(1e-6));
}

TEST_CASE("Simple shear: P12 = 2 mu gamma (1 - 1 / sqrt(4 + gamma^2))", "[material]")
{
    for (const auto& [gamma, expected] : {std::pair{0.1, 5840.611}, std::pair{0.5, 30037.51}}) {
        Matrix F = Matrix::identity();
        F[0][1] = gamma;
        const double P = firstPiolaStress(F, mu, lambda)[0][1];
        CHECK(P == Approx(2 * mu * gamma * (1 - 1 / std::sqrt(4 + gamma * gamma))).epsilon(1e-10));
        CHECK(P == Approx(expected).epsilon(1e-6));
    }
}

TEST_CASE("Hydrostatic compression: Cauchy stress P / s^2", "[material]")
{
    const double s = 0.99;
    const double P = firstPiolaStress(diagonal(s, s, s), mu, lambda)[0][0];
    CHECK(P == Approx(2 * mu * (s - 1) + lambda * (s * s * s - 1) * s * s).epsilon(1e-10));
    CHECK(P / (s * s) == Approx(-2345.394).epsilon(1e-6));
}

TEST_CASE("Kirchhoff stress is P F^T", "[material]")
{
    std::mt19937 random(4);
    for (int trial = 0; trial < 200; ++trial) {
        const Matrix F = randomMatrix(random, 0.15, 1);
        const Matrix expected = timesTransposed(firstPiolaStress(F, mu, lambda), F);
        const Symmetric3<double> tau = kirchhoffStress(F, mu, lambda);
        const double scale = std::sqrt(dot(expected, expected));
        CHECK(std::abs(tau.xx - expected[0][0]) <= 1e-12 * scale);
        CHECK(std::abs(tau.yz - expected[1][2]) <= 1e-12 * scale);
        CHECK(std::abs(tau.xy - expected[1][0]) <= 1e-12 * scale);
        CHECK(std::abs(tau.xz - expected[0][2]) <= 1e-12 * scale);
    }
}

TEST_CASE("Near rest, the series gives the Kirchhoff stress", "[material]")
{
    // Stretches s within 1 +- 0.05 and any rotation. The series is that of s = sqrt(1 + e), |e| <= 0.1025, in the
    // principal stress 2 mu (s^2 - s); the first term that it leaves out is 21/1024 e^6, and the others are smaller.
    const double leftOut = 2 * mu * 21 / 1024 * std::pow(0.1025, 6);
    std::mt19937 random(9);
    std::uniform_real_distribution<double> stretch(0.95, 1.05);
    for (int trial = 0; trial < 1000; ++trial) {
        const Svd<double> frame = svd(randomMatrix(random, 1, 0));
        double s[3];
        for (double& x : s) x = stretch(random);
        const Matrix F = timesTransposed(frame.U * diagonal(s[0], s[1], s[2]), frame.Vm);
        if (determinant(F) < 0) continue;  // the random frame was a reflection
        const Symmetric3<double> exact = kirchhoffStress(F, mu, lambda),
                                 series = kirchhoffStressNearRest(F, mu, lambda);
        CHECK(std::abs(series.xx - exact.xx) <= leftOut);
        CHECK(std::abs(series.yy - exact.yy) <= leftOut);
        CHECK(std::abs(series.xz - exact.xz) <= leftOut);
        CHECK(std::abs(series.xy - exact.xy) <= leftOut);
    }
}

TEST_CASE("What is called surely elastic is left alone to the bit", "[material]")
{
    std::mt19937 random(10);
    int elastic = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const Matrix F = randomMatrix(random, 0.003, 1);
        const Svd<double> d = svd(F);
        bool inside = true;
        for (const double sigma : d.sigma) inside = inside && sigma >= 0.975 && sigma <= 1.0075;
        Matrix F_E = F;
        double J_P = 1;
        plasticReturn(F_E, J_P, 0.975, 1.0075, 0.6, 20.0);
        if (!surelyElastic(F, 0.975, 1.0075)) continue;
        ++elastic;
        CHECK(inside);
        CHECK(distance(F_E, F) == 0);
        CHECK(J_P == 1);
    }
    CHECK(elastic > 100);
}

TEST_CASE("Plastic return keeps J_E J_P and the rotation, bounds the stretches, and is idempotent", "[material]")
{
    std::mt19937 random(5);
    for (int trial = 0; trial < 1000; ++trial) {
        const Matrix F = randomMatrix(random, 0.1, 1);
        Matrix F_E = F;
        double J_P = 0.9;
        plasticReturn(F_E, J_P, 0.975, 1.0075, 0.0, 1e30);
        CHECK(determinant(F_E) * J_P == Approx(determinant(F) * 0.9).epsilon(1e-12));
        // F_E F_P = F with F_P = V Sigma^-1 U^T F (eq. 11): then U, V of F and F_E agree, and so do their rotations.
        const Svd<double> before = svd(F), after = svd(F_E);
        CHECK(distance(timesTransposed(before.U, before.Vm), timesTransposed(after.U, after.Vm)) <= 1e-11);
        for (const double sigma : after.sigma) {
            CHECK(sigma >= 0.975 * (1 - 1e-12));
            CHECK(sigma <= 1.0075 * (1 + 1e-12));
        }
        Matrix again = F_E;
        double J_P2 = J_P;
        plasticReturn(again, J_P2, 0.975, 1.0075, 0.0, 1e30);
        CHECK(distance(again, F_E) <= 1e-12);
        CHECK(J_P2 == Approx(J_P).epsilon(1e-12));
    }
}

TEST_CASE("J_P alone gives the hardening that a full F_P gives", "[material]")
{
    // A path of 200 random increments, with F_P kept in full: F_P <- V Sigma^-1 U^T F_trial F_P (eq. 11).
    std::mt19937 random(6);
    Matrix F_E = Matrix::identity(), F_P = Matrix::identity();
    double J_P = 1;
    for (int step = 0; step < 200; ++step) {
        const Matrix trial = randomMatrix(random, 0.01, 1) * F_E;
        const Svd<double> d = svd(trial);
        Matrix scaled;
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < 3; ++i) scaled[i][k] = d.Vm[i][k] / std::min(std::max(d.sigma[k], 0.975), 1.0075);
        F_P = timesTransposed(scaled, d.U) * trial * F_P;
        F_E = trial;
        plasticReturn(F_E, J_P, 0.975, 1.0075, 0.0, 1e30);
    }
    CHECK(J_P == Approx(determinant(F_P)).epsilon(1e-9));
}

TEST_CASE("J_P and the hardening stay in their bounds", "[material]")
{
    Matrix F_E = diagonal(0.2, 0.2, 0.2);
    double J_P = 1;
    plasticReturn(F_E, J_P, 0.975, 1.0075, 0.6, 20.0);
    CHECK(J_P == 0.6);
    CHECK(hardeningFactor(0.6, 10.0, 20.0) == 20.0);
    CHECK(hardeningFactor(0.9, 10.0, 20.0) == Approx(std::exp(1.0)).epsilon(1e-14));
}

TEST_CASE("A million random deformations, inverted and singular ones among them, give finite numbers", "[material]")
{
    // Inverted F_E are told by J <= 0, which the particle update reports; no NaN may come of them meanwhile.
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0, 1);
    long notFinite = 0;
    for (int group = 0; group < 1000000 / batchSize; ++group) {
        Mat3<Batch> F;
        for (auto& row : F.a)
            for (Batch& entry : row)
                for (int l = 0; l < batchSize; ++l) entry[l] = normal(random);
        for (int j = 0; j < 3; ++j) F[2][j][0] = F[1][j][0];  // singular
        for (int j = 0; j < 3; ++j) F[0][j][1] = 0;           // and rank deficient
        for (auto& row : F.a)
            for (Batch& entry : row) entry[2] = 0;
        Batch J_P = broadcast(1);
        const Symmetric3<Batch> tau = kirchhoffStress(F, broadcast(58333.f), broadcast(38889.f));
        plasticReturn(F, J_P, broadcast(0.975f), broadcast(1.0075f), broadcast(0.6f), broadcast(20.f));
        for (int l = 0; l < batchSize; ++l) {
            bool finite = std::isfinite(J_P[l]) && std::isfinite(tau.xx[l]) && std::isfinite(tau.yz[l]);
            for (const auto& row : F.a)
                for (const Batch& entry : row) finite = finite && std::isfinite(entry[l]);
            notFinite += !finite;
        }
    }
    CHECK(notFinite == 0);
}

TEST_CASE("Sixteen lanes of floats agree with double", "[material]")
{
    std::mt19937 random(8);
    for (int trial = 0; trial < 1000; ++trial) {
        const Matrix F = randomMatrix(random, 0.01, 1);
        Mat3<Batch> f;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) f[i][j] = broadcast(static_cast<float>(F[i][j]));
        Matrix F_E = F;
        double J_P = 1;
        Batch J = broadcast(1);
        plasticReturn(F_E, J_P, 0.975, 1.0075, 0.6, 20.0);
        plasticReturn(f, J, broadcast(0.975f), broadcast(1.0075f), broadcast(0.6f), broadcast(20.f));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) CHECK(std::abs(f[i][j][9] - F_E[i][j]) < 2e-6);
        CHECK(J[9] == Approx(J_P).epsilon(2e-6));
        CHECK(naturalExponential(broadcast(static_cast<float>(F[0][1] * 500)))[3] ==
              Approx(std::exp(static_cast<double>(static_cast<float>(F[0][1] * 500)))).epsilon(4e-7));
    }
}

TEST_CASE("Snow that is as dense as ice resists like an elastic fluid", "[material]")
{
    // rho_0 = 415 kg/m^3 is half of the density at which pores close. At J = 0.45, e = 1 - 0.45 / 0.5 = 0.1. The
    // pressure is K e (1 + x) with x = (e / 0.08)^8.
    const double K = 3e7, x = std::pow(0.1 / 0.08, 8);
    SnowMaterial keys;
    keys.packed_modulus_pa = K;
    const Snow<double> with = Snow<double>::of(keys, true);
    keys.packed_modulus_pa = 0;
    const Snow<double> without = Snow<double>::of(keys, true);
    MaterialState<double> s{Matrix::identity(), 0.45, 1, 0.5, 1};
    CHECK(with.kirchhoffStress(s).xx - without.kirchhoffStress(s).xx ==
          Approx(-K * 0.45 * 0.1 * (1 + x)).epsilon(1e-6));
    CHECK(with.energyDensity(s) - without.energyDensity(s) == Approx(K * 0.5 * 0.01 * (0.5 + x / 10)).epsilon(1e-6));
    CHECK(with.waveModulus(s) - without.waveModulus(s) == Approx(K * (1 + 9 * x) * 0.45 * 0.45 / 0.5).epsilon(1e-6));
    s.J_P = 0.5001;
    CHECK(with.kirchhoffStress(s).xx == without.kirchhoffStress(s).xx);
    CHECK(with.waveModulus(s) == without.waveModulus(s));
}

TEST_CASE("A long step meets packed snow with the secant to its end", "[material]")
{
    // J^2 (p(J) - p(J')) / (J' - J) with the pressure p of the test above and J' = (1 + growth) J
    const double K = 3e7, fill = 0.5;
    const PackedIce<double> ice{K};
    const auto pressure = [&](double J) {
        const double e = std::max(0., 1 - J / fill);
        return K * e * (1 + std::pow(e / 0.08, 8));
    };
    const auto secant = [&](double J, double growth) {
        return ice.secantModulus({Matrix::identity(), J, 1, fill, 1}, growth);
    };
    for (const auto& [J, growth] : {std::pair{0.55, -0.1}, {0.51, -0.09}, {0.49, -0.05}}) {
        CHECK(secant(J, growth) == Approx(J * (pressure(J * (1 + growth)) - pressure(J)) / -growth).epsilon(1e-6));
    }
    CHECK(secant(0.55, -0.05) == 0);                                           // the pores stay open
    CHECK(secant(0.55, -0.5) == Approx(0.55 * 0.16 * K / 0.5).epsilon(1e-6));  // to e = 0.08 and not beyond
    const MaterialState<double> packed{Matrix::identity(), 0.47, 1, fill, 1};
    for (const double growth : {-1e-7, 0., 0.1}) CHECK(ice.secantModulus(packed, growth) == ice.bulkModulus(packed));
}

TEST_CASE("Hardening stops growing at min_J_P, while J_P goes on", "[material]")
{
    SnowMaterial keys;
    keys.min_J_P = 0.6;
    const Snow<double> snow = Snow<double>::of(keys, true);
    MaterialState<double> s{diagonal(0.5, 1, 1), 0.6, 1, 0.3, 1};
    const double before = snow.waveModulus({Matrix::identity(), 0.6, 1, 0.3, 1});
    snow.plasticReturn(s);
    CHECK(s.J_P == Approx(0.6 * 0.5 / 0.975).epsilon(1e-12));
    CHECK(snow.waveModulus(s) == Approx(before).epsilon(1e-12));
}

TEST_CASE("Packed snow whose strength does not harden breaks at the stress of snow as it was", "[material]")
{
    // Below J_P = 1, snow is exp(xi (1 - J_P)) times as stiff. It breaks at theta_s over that factor to the power of
    // 1 - strength_hardening, and a seam multiplies the limit.
    SnowMaterial keys;
    keys.max_hardening = 1e30;
    const double J_P = 0.9, factor = std::exp(keys.hardening * (1 - J_P)), theta_s = keys.critical_stretch;
    const auto limit = [&](double hardening, double J, double strength) {
        keys.strength_hardening = hardening;
        MaterialState<double> s{diagonal(1 + 10 * theta_s, 1, 1), J, 1, 0.4, strength};
        Snow<double>::of(keys, true).plasticReturn(s);
        return s.F_E[0][0] - 1;
    };
    CHECK(limit(1, J_P, 1) == Approx(theta_s));
    CHECK(limit(0, J_P, 1) == Approx(theta_s / factor));
    CHECK(limit(0.5, J_P, 1) == Approx(theta_s / std::sqrt(factor)));
    CHECK(limit(1, J_P, 0.05) == Approx(0.05 * theta_s));
    CHECK(limit(0, J_P, 0.05) == Approx(0.05 * theta_s / factor));
    CHECK(limit(0, 1.2, 1) == Approx(theta_s));  // loosened snow softens as in the paper
    CHECK(limit(1, 1, 100) == Approx(seriesLimit));

    // The stress at which it breaks in confined tension, over that of fresh snow: 1 with 0, the factor with 1.
    const auto strength = [&](double hardening, double J) {
        const double s = 1 + limit(hardening, J, 1);
        keys.strength_hardening = hardening;
        const MaterialState<double> state{diagonal(s, 1, 1), J, 1, 0.4, 1};
        return Snow<double>::of(keys, true).kirchhoffStress(state).xx;
    };
    CHECK(strength(0, J_P) / strength(0, 1) == Approx(1).epsilon(0.01));
    CHECK(strength(1, J_P) / strength(1, 1) == Approx(factor).epsilon(1e-9));
}
