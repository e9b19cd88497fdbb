#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "common/compare/significance.h"

using namespace firn;

namespace {

constexpr int width = 200, height = 150;
constexpr PixelWindow whole{0, 0, width, height};

/// A vertical edge from 0.2 to 1 at `edge`, box-filtered, seen through `samples` samples per pixel of normal noise with
/// deviation `sigma` each: means and the standard errors that the samples themselves show.
Image noisyEdge(double edge, int samples, double sigma, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, sigma);
    Image image(width, height);
    for (const char* name : {"R", "G", "B", "stderr.R", "stderr.G", "stderr.B", "samples"}) image.add(name, true);
    for (const char* color : {"R", "G", "B"}) {
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            const double lit = std::clamp(edge - static_cast<double>(i % width), 0.0, 1.0);
            double sum = 0, squares = 0;
            for (int s = 0; s < samples; ++s) {
                const double value = noise(random);
                sum += value;
                squares += value * value;
            }
            const double variance = (squares - sum * sum / samples) / (samples - 1);
            image.find(color)->pixels[i] = static_cast<float>(1 - 0.8 * lit + sum / samples);
            image.find(std::string("stderr.") + color)->pixels[i] = static_cast<float>(std::sqrt(variance / samples));
        }
    }
    image.find("samples")->pixels.assign(image.pixelCount(), static_cast<float>(samples));
    return image;
}

/// Normal noise whose standard error is known and not estimated.
Image knownNoise(double standardError, unsigned seed)
{
    Image image = noisyEdge(0, 2, std::sqrt(2) * standardError, seed);
    for (const char* color : {"R", "G", "B"}) {
        image.find(std::string("stderr.") + color)
            ->pixels.assign(image.pixelCount(), static_cast<float>(standardError));
    }
    std::erase_if(image.channels, [](const Channel& channel) { return channel.name == "samples"; });
    return image;
}

}  // namespace

TEST_CASE("Of noise with a known deviation, the level's share of pixels lies beyond the level, and none beyond chance")
{
    for (const double level : {0.3, 0.05, 0.001}) {
        const Significance s = *significance(knownNoise(0.1, 1), knownNoise(0.2, 2), whole, level);
        REQUIRE(s.pixels == width * height);
        // A pixel is below the level when one of three independent tests is below a third of it. Fails by chance once
        // in 15787.
        const double share = 1 - std::pow(1 - level / 3, 3);
        CHECK(std::abs(s.share_below_level - share) < 4 * std::sqrt(share * (1 - share) / (width * height)));
        CHECK(s.mean_deviations < 4);
    }
    // The chance of a single false call is the level.
    CHECK(significance(knownNoise(0.1, 1), knownNoise(0.2, 2), whole, 0.001)->share_significant == 0);
}

TEST_CASE("Two seeds of one picture do not differ beyond chance, however few the samples")
{
    for (const int samples : {2, 4, 16, 64}) {
        const Significance s = *significance(noisyEdge(80, samples, 0.3, 1), noisyEdge(80, samples, 0.3, 2), whole);
        INFO(samples << " samples, share below the level " << s.share_below_level);
        CHECK(s.pixels == width * height);
        CHECK(s.share_significant == 0);
        CHECK(s.share_below_level < 0.003);
        CHECK(s.mean_deviations < 4);
    }
}

TEST_CASE("A shift by half a pixel is beyond chance along the edge and nowhere else")
{
    // The edge column changes by 0.4: 0.4 / (0.05 / sqrt(64) sqrt(2)) = 45 standard errors.
    const Significance s = *significance(noisyEdge(80, 64, 0.05, 1), noisyEdge(80.5, 64, 0.05, 2), whole);
    CHECK(s.share_significant == Approx(1.0 / width));
    for (int y = 0; y < height; ++y) {
        REQUIRE(s.deviations.row(y)[80] > 8);
        REQUIRE(s.deviations.row(y)[40] < 6);
    }
}

TEST_CASE("A change too small for any pixel shows in the mean")
{
    Image b = knownNoise(0.1, 2);
    for (Channel& channel : b.channels) {
        if (channel.name.size() > 1) continue;
        for (float& value : channel.pixels) value += 0.02f;
    }
    // 0.02 over 0.1 sqrt(2 / 30000), were the colours' errors fully dependent, as is assumed.
    const Significance s = *significance(knownNoise(0.1, 1), b, whole);
    CHECK(s.share_significant == 0);
    CHECK(s.mean_deviations == Approx(24.5).margin(4));
}

TEST_CASE("Rounding to half is no difference; a change without noise is")
{
    Image a(8, 8);
    for (const char* name : {"R", "G", "B", "stderr.R", "stderr.G", "stderr.B"}) a.add(name);
    for (const char* color : {"R", "G", "B"}) a.find(color)->pixels.assign(64, 1);
    Image b = a;
    b.find("R")->pixels[9] = 1 + 1.0f / 1024;
    CHECK(significance(a, b, {0, 0, 8, 8})->share_significant == 0);
    b.find("R")->pixels[9] = 1.01f;
    CHECK(significance(a, b, {0, 0, 8, 8})->share_significant == Approx(1.0 / 64));
}

TEST_CASE("Few samples that agree by chance do not make their neighbours' noise significant")
{
    // An edge pixel sees 0 or 1; in one image all four samples saw 0, in the other 1, without any spread of their own.
    Image a(3, 3);
    for (const char* name : {"R", "G", "B", "stderr.R", "stderr.G", "stderr.B", "samples"}) a.add(name, true);
    for (const char* error : {"stderr.R", "stderr.G", "stderr.B"})
        a.find(error)->pixels = {0, 0.3f, 0, 0, 0, 0, 0, 0.3f, 0};
    a.find("samples")->pixels.assign(9, 4);
    Image b = a;
    for (const char* color : {"R", "G", "B"}) b.find(color)->pixels[4] = 1;
    CHECK(significance(a, b, {0, 0, 3, 3})->share_significant == 0);
}

TEST_CASE("Pixels without an error of their own are not tested; images without stderr layers not at all")
{
    Image a = noisyEdge(80, 4, 0.1, 1);
    const Image b = noisyEdge(80, 4, 0.1, 2);
    a.find("samples")->pixels[0] = 1;
    a.find("R")->pixels[0] = 1000;
    a.find("stderr.G")->pixels[1] = INFINITY;
    const Significance s = *significance(a, b, whole);
    CHECK(s.pixels == width * height - 2);
    CHECK(s.share_significant == 0);
    CHECK(s.deviations.values[0] == 0);
    std::erase_if(a.channels, [](const Channel& channel) { return channel.name == "stderr.G"; });
    CHECK_FALSE(significance(a, b, whole));
    CHECK(missingStandardErrors(a) == "stderr.G");
    CHECK_FALSE(hasUnknownNoise(a));
    Image single = b;
    single.find("samples")->pixels.assign(single.pixelCount(), 1);
    CHECK(hasUnknownNoise(single));
    CHECK_FALSE(significance(single, b, whole));
    CHECK_FALSE(significance(b, single, whole));
    single.find("samples")->pixels[7] = 2;
    CHECK_FALSE(hasUnknownNoise(single));
    CHECK(significance(single, b, whole)->pixels == 1);
}
