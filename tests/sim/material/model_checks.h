#pragma once
// What every material model must fulfil, in double: the relations between its energy, its stresses and their rates.

#include <catch2/catch.hpp>

#include "sim/material/model.h"
#include "tests/sim/random_matrix.h"

namespace firn {

inline MaterialState<double> randomState(std::mt19937& random, double spread)
{
    std::normal_distribution<double> normal;
    return {randomMatrix(random, spread, 1), 1 + 0.1 * normal(random), std::exp(0.3 * normal(random))};
}

inline MaterialState<double> moved(MaterialState<double> state, const Matrix& by, double times)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) state.F_E[i][j] += times * by[i][j];
    return state;
}

/// A model at states of the given spread about rest.
template <class Model>
void checkModel(const Model& model, double spread)
{
    std::mt19937 random(1);
    for (int trial = 0; trial < 200; ++trial) {
        const MaterialState<double> s = randomState(random, spread);
        const Matrix dF = randomMatrix(random, 1, 0), G = randomMatrix(random, 1, 0);
        const Matrix P = model.firstPiolaStress(s), dP = model.stressDifferential(s, dF);
        const double modulus = model.waveModulus(s);

        INFO("The stress is the derivative of the energy");  // central difference, error of order step^2
        constexpr double step = 1e-5;
        const double slope =
            (model.energyDensity(moved(s, dF, step)) - model.energyDensity(moved(s, dF, -step))) / (2 * step);
        CHECK(dot(P, dF) == Approx(slope).margin(1e-7 * modulus));

        INFO("The stress differential is the derivative of the stress");
        Matrix numeric = model.firstPiolaStress(moved(s, dF, step));
        const Matrix before = model.firstPiolaStress(moved(s, dF, -step));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) numeric[i][j] = (numeric[i][j] - before[i][j]) / (2 * step);
        CHECK(distance(dP, numeric) <= 1e-6 * std::sqrt(dot(dP, dP)));

        INFO("The Kirchhoff stress is P F^T");
        const Matrix tau = timesTransposed(P, s.F_E);
        CHECK(distance(full(model.kirchhoffStress(s)), tau) <= 1e-11 * modulus);

        INFO("The rate of stress is V_0 dP(G F) F^T");
        const Matrix rate = timesTransposed(model.stressDifferential(s, G * s.F_E), s.F_E);
        const Tangent<double> tangent = model.tangent(s, 1, false);
        CHECK(distance(Model::stressRate(tangent, G, false), rate) <= 1e-10 * std::sqrt(dot(rate, rate)));

        INFO("The definite tangent has no negative curvature");
        const Tangent<double> definite = model.tangent(s, 1, true);
        CHECK(dot(G, Model::stressRate(definite, G, true)) >= 0);

        INFO("Plastic return keeps the volume and is idempotent");
        MaterialState<double> once = s;
        model.plasticReturn(once);
        MaterialState<double> twice = once;
        model.plasticReturn(twice);
        CHECK(determinant(once.F_E) * once.J_P == Approx(determinant(s.F_E) * s.J_P).epsilon(1e-12));
        CHECK(distance(once.F_E, twice.F_E) <= 1e-12);
        CHECK(twice.J_P == Approx(once.J_P).epsilon(1e-12));
    }

    INFO("At rest there is no stress, and the mean modulus is that of one component of the velocity");
    const MaterialState<double> rest{Matrix::identity(), 1, 1};
    CHECK(distance(model.firstPiolaStress(rest), Matrix{}) <= 1e-9 * model.waveModulus(rest));
    double sum = 0;
    for (int along = 0; along < 3; ++along) {
        Matrix G{};
        G[0][along] = 1;
        sum += model.stressDifferential(rest, G)[0][along];
        if (along == 0) CHECK(model.waveModulus(rest) == Approx(sum));  // a plane wave strains along one axis
    }
    CHECK(Model::meanModulus(model.tangent(rest, 1, true)) == Approx(sum / 3));
}

}  // namespace firn
