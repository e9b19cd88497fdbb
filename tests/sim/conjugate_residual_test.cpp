// Conjugate residuals on systems small enough to be solved by hand.

#include "sim/conjugate_residual.h"

#include <Eigen/Core>
#include <catch2/catch.hpp>

using namespace firn;

namespace {

template <int N>
using Matrix = Eigen::Matrix<double, N, N>;
template <int N>
using Vector = Eigen::Matrix<double, N, 1>;

/// The first N floats of a single leaf.
template <int N>
Vector<N> firstOf(const NodeVector& v)
{
    return Eigen::Map<const Eigen::Matrix<float, N, 1>>(v.leaf(0)).template cast<double>();
}
template <int N>
void setFirst(NodeVector& v, const Vector<N>& values)
{
    Eigen::Map<Eigen::Matrix<float, N, 1>>(v.leaf(0)) = values.template cast<float>();
}

template <int N>
struct SmallSolve {
    SolveResult result;
    Vector<N> x;
    double true_residual;  // over |b|
};

/// With the preconditioner B.
template <int N>
SmallSolve<N> solveSmall(const Matrix<N>& A, const Matrix<N>& B, const Vector<N>& b, double tolerance, int cap)
{
    NodeVector x, r;
    x.resize(1), r.resize(1);
    setFirst<N>(r, b);
    SolveScratch scratch;
    const auto times = [](const Matrix<N>& M) {
        return [&M](const NodeVector& from, NodeVector& to) {
            setFirst<N>(to, M * firstOf<N>(from));
            return firstOf<N>(from).dot(firstOf<N>(to));
        };
    };
    SmallSolve<N> solve;
    const auto rightSide = [&](NodeVector& to) { to.resize(1), setFirst<N>(to, b); };
    solve.result = conjugateResidual(times(A), times(B), rightSide, 1, x, r, scratch, b.norm(), tolerance, cap);
    solve.x = firstOf<N>(x);
    solve.true_residual = (b - A * solve.x).norm() / b.norm();
    return solve;
}

template <int N>
SmallSolve<N> solveSmall(const Matrix<N>& A, const Vector<N>& b, double tolerance, int cap)
{
    return solveSmall<N>(A, Matrix<N>::Identity(), b, tolerance, cap);
}

}  // namespace

TEST_CASE("Conjugate residuals solve a small definite system in as many steps as it has distinct eigenvalues")
{
    // A = Q diag(1, 1, 3, 3, 10, 10) Q with Q a reflection: three distinct eigenvalues, three iterations in exact
    // arithmetic; x = Q diag^-1 Q b
    Vector<6> values, b, w;
    values << 1, 1, 3, 3, 10, 10;
    b << 1, -2, 3, 0.5, -1, 2;
    w << 1, 2, -1, 0.5, 3, 1;
    const Matrix<6> Q = Matrix<6>::Identity() - 2 / w.squaredNorm() * w * w.transpose();
    const SmallSolve<6> solve = solveSmall<6>(Q * values.asDiagonal() * Q, b, 1e-5, 50);
    CHECK(solve.result.converged);
    CHECK_FALSE(solve.result.indefinite);
    CHECK(solve.result.iterations <= 4);
    CHECK(solve.true_residual < 1.1e-5);
    const Vector<6> expected = Q * values.cwiseInverse().asDiagonal() * Q * b;
    CHECK((solve.x - expected).norm() < 2e-5 * expected.norm());
}

TEST_CASE("Preconditioned with the inverse but for two eigenvalues, conjugate residuals take two steps")
{
    // B A = diag(1, 1, 1, 1, 1, 7) to rounding: two distinct eigenvalues, two iterations; without B it takes six
    Vector<6> values, inverse, b;
    values << 1, 4, 20, 90, 400, 2000;
    inverse = values.cwiseInverse();
    inverse[5] *= 7;
    b << 1, -2, 3, 0.5, -1, 2;
    const SmallSolve<6> solve = solveSmall<6>(values.asDiagonal(), inverse.asDiagonal(), b, 1e-5, 50);
    CHECK(solve.result.converged);
    CHECK(solve.result.iterations <= 3);
    CHECK(solve.true_residual < 1.1e-5);
    CHECK(solveSmall<6>(values.asDiagonal(), b, 1e-5, 50).result.iterations >= 6);
}

TEST_CASE("Conjugate residuals report a direction of negative curvature")
{
    const Matrix<3> A = Eigen::Vector3d(4, 2, -3).asDiagonal();
    const SmallSolve<3> atOnce = solveSmall<3>(A, Eigen::Vector3d(0.1, 0.1, 1), 1e-5, 50);  // r.Ar = 0.06 - 3 < 0
    CHECK(atOnce.result.indefinite);
    CHECK_FALSE(atOnce.result.converged);
    CHECK(atOnce.result.iterations == 1);
    CHECK(atOnce.x.norm() == 0);                                                         // x is left as it was
    const SmallSolve<3> later = solveSmall<3>(A, Eigen::Vector3d(1, 1, 0.1), 1e-5, 50);  // r.Ar = 6 - 0.03 > 0 at first
    CHECK(later.result.indefinite);
    CHECK_FALSE(later.result.converged);
    CHECK(later.result.iterations > 1);
    CHECK(later.x.allFinite());
}

TEST_CASE("Conjugate residuals stop at the cap and say so; a system without a right side needs none")
{
    const Matrix<4> A = Eigen::Vector4d(1, 10, 100, 1000).asDiagonal();
    const SmallSolve<4> capped = solveSmall<4>(A, Eigen::Vector4d(1, 1, 1, 1), 1e-5, 1);
    CHECK(capped.result.iterations == 1);
    CHECK_FALSE(capped.result.converged);
    CHECK(capped.result.residual == Approx(capped.true_residual).epsilon(1e-4));
    CHECK(capped.result.residual > 1e-5);
    const SmallSolve<4> nothing = solveSmall<4>(A, Eigen::Vector4d::Zero(), 1e-5, 50);
    CHECK(nothing.result.converged);
    CHECK(nothing.result.iterations == 0);
}
