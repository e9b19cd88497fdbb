// Seconds of the denoiser for 1920 x 1080 pixels. Needs the network's weights: FIRN_DENOISER_WEIGHTS=FILE.

#include <benchmark/benchmark.h>

#include <random>

#include "common/io/threads.h"
#include "render/denoise/denoiser.h"
#include "render/denoise/weights.h"

using namespace firn;

namespace {

NoisyPicture picture(int width, int height)
{
    NoisyPicture result{width, height, {}, {}, {}};
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(0, 1);
    for (std::size_t c = 0; c < 3; ++c) {
        for (int i = 0; i < width * height; ++i) {
            result.colour[c].push_back(uniform(random));
            result.albedo[c].push_back(1);
            result.normal[c].push_back(c == 1);
        }
    }
    return result;
}

void denoise(benchmark::State& state)
{
    const std::filesystem::path weights = findDenoiserWeights("");
    if (weights.empty()) {
        state.SkipWithError("FIRN_DENOISER_WEIGHTS does not name the weights");
        return;
    }
    const NoisyPicture noisy = picture(1920, 1080);
    runWithThreads(static_cast<int>(state.range(0)), [&] {
        Denoiser denoiser(weights);
        denoiser.denoise(noisy);  // sets the network up
        while (state.KeepRunning()) benchmark::DoNotOptimize(denoiser.denoise(noisy));
    });
}

BENCHMARK(denoise)->Arg(1)->Arg(2)->Unit(benchmark::kSecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace

BENCHMARK_MAIN();
