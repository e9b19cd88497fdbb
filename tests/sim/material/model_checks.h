#pragma once
// What every material model must fulfil, in double: the relations between its energy, its stresses and their rates.

#include <catch2/catch.hpp>

#include "sim/material/model.h"
#include "tests/sim/random_matrix.h"

namespace firn {

inline MaterialState<double> randomState(std::mt19937& random, double spread)
{
    std::normal_distribution<double> normal;
    const Matrix F = randomMatrix(random, spread, 1);
    const double J_P = 1 + 0.1 * normal(random), modulusFactor = std::exp(0.3 * normal(random));
    const double fill =
        determinant(F) * J_P * (normal(random) < 0 ? 0.6 : 1.4);  // half of the states have no pores left
    const double strength = normal(random) < 0 ? 0.3 : 1;
    return {F, J_P, modulusFactor, fill, strength};
}

inline MaterialState<double> moved(MaterialState<double> state, const Matrix& by, double times)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) state.F_E[i][j] += times * by[i][j];
    return state;
}

/// The stress is the derivative of the energy, and its differential the derivative of the stress: central differences,
/// whose error is of order step^2.
template <class Model>
void checkDerivatives(const Model& model, const MaterialState<double>& s, const Matrix& dF)
{
    constexpr double step = 1e-5;
    const auto forward = moved(s, dF, step), backward = moved(s, dF, -step);
    const Matrix P = model.firstPiolaStress(s), dP = model.stressDifferential(s, dF);
    const double slope = (model.energyDensity(forward) - model.energyDensity(backward)) / (2 * step);
    CHECK(dot(P, dF) == Approx(slope).margin(1e-7 * model.waveModulus(s)));
    const Matrix after = model.firstPiolaStress(forward), before = model.firstPiolaStress(backward);
    Matrix numeric;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) numeric[i][j] = (after[i][j] - before[i][j]) / (2 * step);
    CHECK(distance(dP, numeric) <= 1e-6 * std::sqrt(dot(dP, dP)));
}

/// The Kirchhoff stress is P F^T, its rate V_0 dP(G F) F^T, and the definite tangent has no negative curvature.
template <class Model>
void checkKirchhoff(const Model& model, const MaterialState<double>& s, const Matrix& G)
{
    const Matrix tau = timesTransposed(model.firstPiolaStress(s), s.F_E);
    CHECK(distance(full(model.kirchhoffStress(s)), tau) <= 1e-11 * model.waveModulus(s));
    const Matrix rate = timesTransposed(model.stressDifferential(s, G * s.F_E), s.F_E);
    const Tangent<double> tangent = model.tangent(s, 1, 0, false);
    CHECK(distance(Model::stressRate(tangent, G, false), rate) <= 1e-10 * std::sqrt(dot(rate, rate)));
    const Tangent<double> definite = model.tangent(s, 1, 0, true);
    CHECK(dot(G, Model::stressRate(definite, G, true)) >= 0);
}

/// Plastic return keeps the volume and is idempotent.
template <class Model>
void checkPlasticReturn(const Model& model, const MaterialState<double>& s)
{
    MaterialState<double> once = s;
    model.plasticReturn(once);
    MaterialState<double> twice = once;
    model.plasticReturn(twice);
    CHECK(determinant(once.F_E) * once.J_P == Approx(determinant(s.F_E) * s.J_P).epsilon(1e-12));
    CHECK(distance(once.F_E, twice.F_E) <= 1e-12);
    CHECK(twice.J_P == Approx(once.J_P).epsilon(1e-12));
}

/// At rest there is no stress. A plane wave strains along one axis. The mean modulus is that of one component of the
/// velocity over slopes along the three axes.
template <class Model>
void checkRest(const Model& model)
{
    const MaterialState<double> rest{Matrix::identity(), 1, 1, 0.4, 1};
    CHECK(distance(model.firstPiolaStress(rest), Matrix{}) <= 1e-9 * model.waveModulus(rest));
    double sum = 0;
    for (int along = 0; along < 3; ++along) {
        Matrix G{};
        G[0][along] = 1;
        sum += model.stressDifferential(rest, G)[0][along];
        if (along == 0) CHECK(model.waveModulus(rest) == Approx(sum));
    }
    CHECK(Model::meanModulus(model.tangent(rest, 1, 0, true)) == Approx(sum / 3));
}

/// All of these, at states of the given spread about rest.
template <class Model>
void checkModel(const Model& model, double spread)
{
    std::mt19937 random(1);
    for (int trial = 0; trial < 200; ++trial) {
        const MaterialState<double> s = randomState(random, spread);
        checkDerivatives(model, s, randomMatrix(random, 1, 0));
        checkKirchhoff(model, s, randomMatrix(random, 1, 0));
        checkPlasticReturn(model, s);
    }
    checkRest(model);
}

}  // namespace firn
