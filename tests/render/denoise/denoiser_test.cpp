#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/threads.h"
#include "render/denoise/denoiser.h"
#include "render/denoise/perceptual_curve.h"
#include "tests/temporary_folder.h"
#include "weights_file.h"

using namespace firn;

namespace {

NoisyPicture picture(int width, int height)
{
    NoisyPicture result{width, height, {}, {}, {}};
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform(0, 1);
    for (std::size_t c = 0; c < 3; ++c) {
        for (int i = 0; i < width * height; ++i) {
            result.colour[c].push_back(uniform(random));
            result.albedo[c].push_back(uniform(random));
            result.normal[c].push_back(2 * uniform(random) - 1);
        }
    }
    return result;
}

/// Whether the network's results differ: equality of clamped results would say nothing.
bool isVaried(const std::vector<float>& plane)
{
    return std::set<float>(plane.begin(), plane.end()).size() > plane.size() / 2;
}

}  // namespace

TEST_CASE("The perceptual curve ends at 1, and its inverse gives radiance back")
{
    CHECK(PerceptualCurve::encode(0) == 0);
    CHECK(PerceptualCurve::encode(65504) == Approx(1));
    for (const float radiance : {1e-7f, 1e-6f, 1e-4f, 0.01f, 0.05f, 0.18f, 1.0f, 10.0f, 1000.0f, 60000.0f}) {
        CHECK(PerceptualCurve::decode(PerceptualCurve::encode(radiance)) == Approx(radiance).epsilon(2e-4));
    }
}

TEST_CASE("The exposure brings the geometric mean over squares of 16 pixels to middle grey")
{
    NoisyPicture even = picture(32, 16);
    for (std::vector<float>& plane : even.colour) {
        for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = i % 32 < 16 ? 4.0f : 0.01f;
    }
    CHECK(autoExposure(even) == Approx(0.18 / 0.2));
    for (std::vector<float>& plane : even.colour) {
        for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = i % 32 < 16 ? 4.0f : 0.0f;  // black is left out
    }
    CHECK(autoExposure(even) == Approx(0.18 / 4));
    for (std::vector<float>& plane : even.colour) std::fill(plane.begin(), plane.end(), 0.0f);
    CHECK(autoExposure(even) == 1);
}

TEST_CASE("Tiles keep every pixel once, see the network's reach around it, and are of one size within the bound")
{
    for (const auto& [width, height] : {std::pair{1920, 1080}, {3840, 2160}, {17, 5}, {1, 1}, {5000, 40}}) {
        for (const std::size_t largest : {std::size_t{1'200'000}, std::size_t{150'000}}) {
            std::vector<int> kept(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
            const std::vector<DenoiseTile> tiles = denoiseTiles(width, height, largest);
            for (const DenoiseTile& t : tiles) {
                CHECK(t.width == tiles[0].width);
                CHECK(t.height == tiles[0].height);
                CHECK(t.width % 16 == 0);
                CHECK(t.height % 16 == 0);
                CHECK(static_cast<std::size_t>(t.width) * static_cast<std::size_t>(t.height) <= largest);
                CHECK(t.x <= std::max(0, t.keep_x - DenoiseNetwork::reach));
                CHECK(t.y <= std::max(0, t.keep_y - DenoiseNetwork::reach));
                CHECK(t.x + t.width >= std::min(width, t.keep_x + t.keep_width + DenoiseNetwork::reach));
                CHECK(t.y + t.height >= std::min(height, t.keep_y + t.keep_height + DenoiseNetwork::reach));
                for (int y = t.keep_y; y < t.keep_y + t.keep_height; ++y) {
                    for (int x = t.keep_x; x < t.keep_x + t.keep_width; ++x) {
                        const int pixel = y * width + x;
                        ++kept[static_cast<std::size_t>(pixel)];
                    }
                }
            }
            CHECK(std::all_of(kept.begin(), kept.end(), [](int count) { return count == 1; }));
        }
    }
}

TEST_CASE("A picture denoised in tiles has the bits of one denoised as a whole, also at its borders")
{
    const TemporaryFolder folder;
    const auto weights = folder.path / "weights.tza";
    writeFileChecked(weights, tzaBytes(smallWeights()));
    const NoisyPicture noisy = picture(600, 40);
    constexpr std::size_t largest = 400 * 48;  // pixels of a tile
    REQUIRE(denoiseTiles(600, 40, largest).size() == 4);
    const double bytesPerPixel = DenoiseNetwork(readTza(weights), "").bytesPerPixel();
    const Planes whole = Denoiser(weights).denoise(noisy);
    CHECK(isVaried(whole[1]));
    CHECK(Denoiser(weights, bytesPerPixel * largest).denoise(noisy) == whole);
}

TEST_CASE(
    "A denoised picture has the same bits for any number of threads, and values that are not finite do not spread")
{
    const TemporaryFolder folder;
    const auto weights = folder.path / "weights.tza";
    writeFileChecked(weights, tzaBytes(smallWeights()));
    NoisyPicture noisy = picture(230, 61);
    noisy.colour[1][100] = std::numeric_limits<float>::quiet_NaN();
    noisy.normal[2][5000] = std::numeric_limits<float>::infinity();
    std::vector<Planes> results;
    for (const int threads : {1, 2, 5}) {
        runWithThreads(threads, [&] { results.push_back(Denoiser(weights).denoise(noisy)); });
    }
    CHECK(isVaried(results[0][1]));
    for (const Planes& result : results) {
        CHECK(result == results[0]);
        for (const std::vector<float>& plane : result) {
            CHECK(std::all_of(plane.begin(), plane.end(), [](float v) { return std::isfinite(v) && v >= 0; }));
        }
    }
}
