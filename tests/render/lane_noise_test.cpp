#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "render/lane_noise.h"

using namespace firn;

TEST_CASE("Gradient noise has mean 0, stays in range and is smooth", "[detail]")
{
    double sum = 0, squares = 0, steepest = 0;
    constexpr int count = 4000;
    for (int i = 0; i < count; ++i) {
        const Floats x = floats(-20) + 0.0117f * static_cast<float>(i) + 0.37f * toFloats(laneNumbers());
        const Floats y = 0.91f * x + 3.f, z = 1.7f * x - 11.f;
        const Floats here = gradientNoise(x, y, z, 7), near = gradientNoise(x + 1e-3f, y, z, 7);
        for (int lane = 0; lane < laneCount; ++lane) {
            sum += static_cast<double>(here[lane]);
            squares += std::pow(static_cast<double>(here[lane]), 2);
            steepest = std::max(steepest, std::abs(static_cast<double>(near[lane] - here[lane])) / 1e-3);
            REQUIRE(std::abs(here[lane]) <= 1.05f);
        }
    }
    CHECK(std::abs(sum / (count * laneCount)) < 0.02);
    CHECK(std::sqrt(squares / (count * laneCount)) == Approx(0.27).margin(0.05));
    CHECK(steepest < 4);
}

TEST_CASE("Noise of pieces has mean 0, and is flat within a piece", "[detail]")
{
    constexpr int count = 4000;
    constexpr float step = 0.005f;
    double sum = 0, squares = 0;
    int bent = 0, steps = 0;
    for (int i = 0; i < count; ++i) {
        const Floats x = floats(-20) + 0.0117f * static_cast<float>(i) + 0.37f * toFloats(laneNumbers());
        const Floats y = 0.91f * x + 3.f, z = 1.7f * x - 11.f;
        const Floats here = pieceNoise(x, y, z, 7);
        const Floats before = pieceNoise(x - step, y, z, 7), after = pieceNoise(x + step, y, z, 7);
        for (int lane = 0; lane < laneCount; ++lane) {
            sum += static_cast<double>(here[lane]);
            squares += std::pow(static_cast<double>(here[lane]), 2);
            REQUIRE(std::abs(here[lane]) <= 1);
            if (std::abs(before[lane] + after[lane] - 2 * here[lane]) > 1e-4f) ++bent;
            if (std::abs(before[lane] - after[lane]) > 0.05f) ++steps;
        }
    }
    CHECK(std::abs(sum / (count * laneCount)) < 0.02);
    CHECK(std::sqrt(squares / (count * laneCount)) == Approx(0.27).margin(0.05));
    CHECK(bent < count * laneCount / 40);  // only where pieces meet
    CHECK(steps > 0);
}
