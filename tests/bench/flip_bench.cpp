// FLIP of a pair of 1920x1080, in low range and in high with seven exposures.

#include <benchmark/benchmark.h>

#include <cmath>

#include "common/compare/flip.h"

namespace firn {

namespace {

constexpr int width = 1920, height = 1080;
constexpr double pixelsPerDegree = 67.0206;

/// A ramp over 12 stops with a fine pattern on it; `factor` tells the two of a pair apart.
RgbPlanes picture(float factor)
{
    RgbPlanes image;
    for (std::size_t c = 0; c < 3; ++c) {
        image[c] = PixelPlane(width, height);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const float stops = -6 + 12 * static_cast<float>(x) / (width - 1);
                image[c].row(y)[x] =
                    factor * std::exp2(stops) * (0.5f + 0.5f * std::sin(0.3f * static_cast<float>(x + y)));
            }
    }
    return image;
}

void lowRange(benchmark::State& state)
{
    const RgbPlanes a = picture(1), b = picture(1.1f);
    while (state.KeepRunning()) benchmark::DoNotOptimize(flipLdr(a, b, pixelsPerDegree));
}
BENCHMARK(lowRange)->Unit(benchmark::kMillisecond)->UseRealTime()->Repetitions(3);

void highRange(benchmark::State& state)
{
    const RgbPlanes a = picture(1), b = picture(1.1f);
    Exposures exposures = flipExposures(a);
    exposures.count = static_cast<int>(state.range(0));
    while (state.KeepRunning()) benchmark::DoNotOptimize(flipHdr(a, b, exposures, pixelsPerDegree));
}
BENCHMARK(highRange)->Arg(4)->Arg(7)->Unit(benchmark::kMillisecond)->UseRealTime()->Repetitions(3);

}  // namespace

}  // namespace firn

BENCHMARK_MAIN();
