#include "render/phase.h"

#include <catch2/catch.hpp>

#include "monte_carlo.h"

using namespace firn;
using namespace firn::test;

namespace {

/// Probability of cosines up to c: the integral of the phase function over 2 pi dcos, in closed form.
double cumulative(double c, double g)
{
    if (g == 0) return (1 + c) / 2;
    return (1 - g * g) / (2 * g) * (1 / std::sqrt(1 + g * g - 2 * g * c) - 1 / (1 + g));
}

/// The value that chi-square with n degrees of freedom exceeds with probability 0.135 % (Wilson and Hilferty 1931, 3
/// sigma).
double chiSquareBound(int n) { return n * std::pow(1 - 2. / (9 * n) + 3 * std::sqrt(2. / (9 * n)), 3); }

}  // namespace

TEST_CASE("The phase function is normalised and has mean cosine g", "[phase]")
{
    for (const float g : {-.7f, -.3f, 0.f, 1e-4f, .5f, .9f}) {
        double total = 0, mean = 0;
        const int n = 200000;
        for (int i = 0; i < n; ++i) {  // midpoint rule, error of order n^-2
            const double c = -1 + (i + .5) * 2 / n;
            const double p = 2 * pi * henyeyGreenstein(static_cast<float>(c), g) * 2 / n;
            total += p;
            mean += c * p;
        }
        CHECK(total == Approx(1).epsilon(1e-4));
        CHECK(mean == Approx(g).margin(1e-4));
    }
}

TEST_CASE("Sampled directions pass chi-square against the phase function and have mean cosine g", "[phase]")
{
    constexpr int bins = 16, azimuths = 8, samples = 400000;
    const Vec3f axis = Vec3f(.3f, -.8f, .4f).normalized();
    const Vec3f side = axis.unitOrthogonal(), other = axis.cross(side);
    std::uint64_t seed = 1;
    for (const float g : {-.5f, 0.f, 5e-4f, .5f, .85f}) {
        std::vector<int> counts(bins * azimuths);
        double sum = 0, squares = 0;
        Sampler sampler(seed++, 0, 0);
        for (int i = 0; i < samples; ++i) {
            const Vec2f u = sampler.uniform2();
            const Vec3f direction = deflect(axis, sampleHenyeyGreenstein(g, u.x()), u.y());
            const double c = std::clamp(static_cast<double>(direction.dot(axis)), -1.0, 1.0);
            const double turn = std::atan2(direction.dot(other), direction.dot(side)) / (2 * pi) + .5;
            const int row = std::min(bins - 1, static_cast<int>(cumulative(c, g) * bins));  // equal probabilities
            ++counts[row * azimuths + std::min(azimuths - 1, static_cast<int>(turn * azimuths))];
            sum += c;
            squares += c * c;
        }
        const double expected = double{samples} / (bins * azimuths);
        double chiSquare = 0;
        for (const int count : counts) chiSquare += (count - expected) * (count - expected) / expected;
        const double mean = sum / samples, error = std::sqrt((squares / samples - mean * mean) / samples);
        CAPTURE(g, chiSquare, mean, error);
        CHECK(chiSquare < chiSquareBound(bins * azimuths - 1));
        CHECK(std::abs(mean - g) < oneIn370 * error);
    }
}

TEST_CASE("A direction keeps unit length over ten thousand deflections", "[phase]")
{
    Vec3f direction = Vec3f::UnitZ();
    Sampler sampler(3, 0, 0);
    for (int i = 0; i < 10000; ++i) {
        const Vec2f u = sampler.uniform2();
        direction = deflect(direction, sampleHenyeyGreenstein(.5f, u.x()), u.y());
    }
    CHECK(direction.norm() == Approx(1).epsilon(1e-6));
}
