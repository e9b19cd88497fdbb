#include <catch2/catch.hpp>

#include <cmath>

#include "common/compare/flip.h"
#include "common/io/threads.h"

using namespace firn;

namespace {

template <class Pixel>
RgbPlanes picture(Pixel pixel, int width = 128, int height = 96)
{
    RgbPlanes planes;
    planes.fill(PixelPlane(width, height));
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const std::array<double, 3> rgb = pixel(x, y);
            for (std::size_t c = 0; c < 3; ++c) planes[c].row(y)[x] = static_cast<float>(rgb[c]);
        }
    }
    return planes;
}

RgbPlanes uniform(double r, double g, double b)
{
    return picture([=](int, int) { return std::array{r, g, b}; });
}

/// Colours over seven stops, scaled.
RgbPlanes brightRamp(double scale)
{
    return picture([=](int x, int y) {
        const double red = scale * std::exp2(-6 + 12 * x / 127.0);
        return std::array{red, red * (0.5 + 0.5 * y / 95), 0.75 * red};
    });
}

RgbPlanes greyRamp(double checker)
{
    return picture([=](int x, int y) {
        const double value = std::clamp(x / 127.0 + ((x + y) % 2 ? -checker : checker), 0.0, 1.0);
        return std::array{value, value, value};
    });
}

constexpr double fourDecimals = 5e-5;

double mean(const PixelPlane& plane)
{
    double sum = 0;
    for (const float value : plane.values) sum += static_cast<double>(value);
    return sum / static_cast<double>(plane.values.size());
}

}  // namespace

// Expected means: the authors' implementation on the same images, to four decimals. Its grey pair owes 0.00004 to
// rounding, which the square root of the feature difference magnifies: in exact arithmetic it has 0.196215.

TEST_CASE("FLIP of uniform images is that of the published method")
{
    CHECK(mean(flipLdr(uniform(0, 0, 0), uniform(1, 1, 1))) == Approx(0.967388).margin(fourDecimals));
    CHECK(mean(flipLdr(uniform(0, 1, 0), uniform(0, 0, 1))) == Approx(1).margin(fourDecimals));
    CHECK(mean(flipLdr(uniform(.5, .5, .5), uniform(.6, .6, .6))) == Approx(0.196255).margin(fourDecimals));
}

TEST_CASE("FLIP of a checker too fine to see is that of the published method")
{
    CHECK(mean(flipLdr(greyRamp(0), greyRamp(0.1))) == Approx(0.038152).margin(fourDecimals));
}

TEST_CASE("FLIP of high dynamic range takes the published exposures and value")
{
    const RgbPlanes reference = brightRamp(1);
    const Exposures exposures = flipExposures(reference);
    CHECK(exposures.count == 7);
    CHECK(exposures.start == Approx(-4.8904).margin(5e-5));
    CHECK(exposures.stop == Approx(1.4110).margin(5e-5));
    CHECK(mean(flipHdr(reference, brightRamp(1.1), exposures)) == Approx(0.130151).margin(fourDecimals));
}

TEST_CASE("FLIP of an image and itself is 0 in every pixel")
{
    for (const float value : flipLdr(greyRamp(0.1), greyRamp(0.1)).values) REQUIRE(value == 0);
}

TEST_CASE("FLIP has the same value both ways at given exposures")
{
    const RgbPlanes a = brightRamp(1), b = brightRamp(1.3);
    CHECK(flipLdr(a, b).values == flipLdr(b, a).values);
    const Exposures exposures{-3, 1, 3};
    CHECK(flipHdr(a, b, exposures).values == flipHdr(b, a, exposures).values);
}

TEST_CASE("FLIP has the same bits for any number of threads")
{
    const RgbPlanes a = greyRamp(0), b = brightRamp(1);
    PixelPlane one, seven;
    runWithThreads(1, [&] { one = flipLdr(a, b); });
    runWithThreads(7, [&] { seven = flipLdr(a, b); });
    CHECK(one.values == seven.values);
}

TEST_CASE("Exposures of a bright spot on black come from the spot, those of black are 0")
{
    const auto spot = [](double value) {
        return picture([=](int x, int y) {
            return x < 4 && y < 4 ? std::array{value, value, value} : std::array{0., 0., 0.};
        });
    };
    // Maximum and median of what is lit are both 2: the exposure that shows 2 at 0.85 in the ACES fit.
    const Exposures exposures = flipExposures(spot(2));
    CHECK(exposures.start == exposures.stop);
    CHECK(exposures.count == 2);
    const double x = 0.6 * 2 * std::exp2(exposures.start);
    CHECK(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14) == Approx(0.85));
    CHECK(flipExposures(spot(0)).count == 1);
    CHECK(flipExposures(spot(0)).start == 0);
}

TEST_CASE("FLIP stays within 0 and 1 for values no display shows")
{
    const RgbPlanes wild = picture([](int x, int y) {
        return std::array{x % 2 ? 1e30 : -5.0, y % 3 ? 65504.0 : 0.0, -1e30};
    });
    for (const float value : flipHdr(wild, brightRamp(1), {-10, 10, 3}).values) {
        REQUIRE(value >= 0);
        REQUIRE(value <= 1);
    }
}

TEST_CASE("FLIP takes images smaller than its filters")
{
    const auto dot = [](double value) {
        return picture([=](int, int) { return std::array{value, value, value}; }, 1, 1);
    };
    CHECK(flipLdr(dot(0), dot(1)).values[0] == Approx(0.967388f).margin(fourDecimals));
}
