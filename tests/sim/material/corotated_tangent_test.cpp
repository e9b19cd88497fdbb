// The rate of a particle's stress for the semi-implicit step.

#include <catch2/catch.hpp>

#include "sim/material/corotated_tangent.h"
#include "tests/sim/random_matrix.h"

using namespace firn;

namespace {

const double mu = lameMu(1.4e5, 0.2), lambda = lameLambda(1.4e5, 0.2);

CorotatedTangent<double> tangentOf(const Matrix& F, double volume)
{
    return corotatedTangent(F, leftStretch(F), mu, lambda, volume);
}

/// G : K(G) of the exact rate and of the definite one.
double curvature(const Matrix& F, const Matrix& G, bool definite)
{
    const CorotatedTangent<double> k = tangentOf(F, 1);
    return dot(G, definite ? stressRate(withoutPressure(k), G, definiteShare(k.S)) : stressRate(k, G, 1.0));
}

}  // namespace

TEST_CASE("The rate of stress without a decomposition is V_0 dP(G F) F^T")
{
    std::mt19937 random(1);
    for (int n = 0; n < 200; ++n) {
        const Matrix F = randomMatrix(random, 0.15, 0.95), G = randomMatrix(random, 1, 0);
        if (determinant(F) < 0.2) continue;
        const Matrix expected = timesTransposed(stressDifferential(F, G * F, mu, lambda), F);
        const Matrix found = stressRate(tangentOf(F, 1), G, 1.0);
        REQUIRE(distance(found, expected) < 1e-10 * std::sqrt(dot(expected, expected)));
    }
}

TEST_CASE("The left stretch squared is F F^T, and the series near rest agrees with the decomposition")
{
    std::mt19937 random(2);
    for (int n = 0; n < 100; ++n) {
        const Matrix F = randomMatrix(random, 0.2, 1), S = full(leftStretch(F));
        REQUIRE(distance(S * S, timesTransposed(F, F)) < 1e-12);
        // stretches within 1 +- 0.05: the series is cut off at an error below 5e-7 of F F^T - S, itself below 0.2
        const Matrix near = randomMatrix(random, 0.008, 1);
        REQUIRE(distance(full(leftStretchNearRest(near)), full(leftStretch(near))) < 1e-7);
    }
}

TEST_CASE("The definite tangent has no negative curvature where the exact one has, and is the same at rest")
{
    // F = s I under a skew G: the exact curvature is |G s|^2 P / s with the pressure P < 0 (physics of F = s I above)
    Matrix skew{};
    skew[0][1] = 1, skew[1][0] = -1;
    Matrix squeezed = Matrix::identity();
    for (int k = 0; k < 3; ++k) squeezed[k][k] = 0.8;
    REQUIRE(curvature(squeezed, skew, false) < -1000);
    CHECK(curvature(squeezed, skew, true) >= -1e-9);

    std::mt19937 random(3);
    int negative = 0;
    for (int n = 0; n < 5000; ++n) {
        const Matrix F = randomMatrix(random, 0.1, 0.7), G = randomMatrix(random, 1, 0);
        if (determinant(F) <= 0) continue;
        Matrix turning = G;  // mostly skew: where the exact one goes negative
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) turning[i][j] = G[i][j] - 0.95 * G[j][i];
        negative += curvature(F, turning, false) < 0;
        REQUIRE(curvature(F, G, true) >= 0);
        REQUIRE(curvature(F, turning, true) >= 0);
    }
    CHECK(negative > 1000);
    for (int n = 0; n < 20; ++n) {
        const Matrix G = randomMatrix(random, 1, 0);
        const double exact = curvature(Matrix::identity(), G, false);
        CHECK(curvature(Matrix::identity(), G, true) == Approx(exact).epsilon(1e-12));
    }
}
