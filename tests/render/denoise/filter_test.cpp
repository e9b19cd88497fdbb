#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

#include "common/io/threads.h"
#include "render/denoise/filter.h"
#include "render/film.h"
#include "render/radiance.h"
#include "render/seen_surface.h"

using namespace firn;

namespace {

constexpr int width = 48, height = 32;

double hashed(unsigned i)
{
    i = (i ^ (i >> 16)) * 0x45d9f3bu;
    i = (i ^ (i >> 16)) * 0x45d9f3bu;
    return static_cast<double>((i ^ (i >> 16)) & 0xffffff) / 0x1000000;
}

/// Eight samples per pixel of `mean(x)` times (k + 1) u^k, where u is even over [0, 1]: the larger k, the rarer and
/// brighter are bright samples. Albedo by column too.
template <typename Mean, typename Albedo>
Image noisy(const Mean& mean, const Albedo& albedo, int k = 1)
{
    Film film({0, 0, width, height}, width, height);
    unsigned counter = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int i = 0; i < 8; ++i) {
                PathResult sample;
                sample.alpha = 1;
                sample.radiance =
                    Vec3f::Constant(static_cast<float>(mean(x) * (k + 1) * std::pow(hashed(counter++), k)));
                sample.albedo = Vec3f::Constant(static_cast<float>(albedo(x)));
                sample.normal = Vec3f::UnitY();
                film.add(x, y, i, sample, 1);
                film.addSeen(x, y, {true, sample.normal, sample.albedo});
            }
        }
    }
    return film.image();
}

/// Root mean square of (R - mean) / mean over the columns from `begin` to `end`.
template <typename Mean>
double relativeError(const Image& image, const Mean& mean, int begin, int end)
{
    double sum = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = begin; x < end; ++x) {
            const int pixel = y * width + x;
            const auto value = static_cast<double>(image.at("R").pixels[static_cast<std::size_t>(pixel)]);
            sum += std::pow(value / mean(x) - 1, 2);
        }
    }
    return std::sqrt(sum / (height * (end - begin)));
}

}  // namespace

TEST_CASE("The filter averages what differs by noise alone")
{
    // Standard error of 8 even samples on [0, 2]: 1 / sqrt(3 * 8) = 20 %. A mean over 15 x 15 pixels has 1.4 %; weights
    // that fall with distance leave about half of them.
    const auto grey = [](int) { return 0.5; };
    const Image image = noisy(grey, grey);
    CHECK(relativeError(image, grey, 0, width) == Approx(0.204).epsilon(0.1));
    CHECK(relativeError(filterNoise(image), grey, 0, width) < 0.03);
}

TEST_CASE("The filter keeps edges of albedo and of brightness")
{
    // The two columns at a step of 1 to 4. Mixed in equal parts, the darker would be 150 % off; each must come out
    // better than the noise of 20 %, and half of that where albedo tells the sides apart.
    const auto step = [](int x) { return x < width / 2 ? 0.2 : 0.8; };
    const auto plain = [](int) { return 0.9; };
    const auto error = [&](const Image& image) { return relativeError(image, step, width / 2 - 1, width / 2 + 1); };
    CHECK(error(filterNoise(noisy(step, step))) < 0.06);
    CHECK(error(filterNoise(noisy(step, plain))) < 0.13);
}

TEST_CASE("The filter keeps the mean of a picture, also where rare samples are bright")
{
    const auto ramp = [](int x) { return 0.5 + 0.01 * x; };
    const Image image = noisy(ramp, ramp, 6);
    const auto mean = [](const Image& of) {
        const std::vector<float>& pixels = of.at("R").pixels;
        return std::accumulate(pixels.begin(), pixels.end(), 0.0) / static_cast<double>(pixels.size());
    };
    CHECK(mean(filterNoise(image)) / mean(image) == Approx(1).epsilon(0.005));
}

TEST_CASE("The filter keeps texture that the layer of lit places shows")
{
    // Pixels are dark and bright in turn, as light and shade on small crumbs. Surfaces are alike, so without the layer
    // the texture is taken for noise.
    const auto crumbs = [](int x) { return x % 2 == 0 ? 0.4 : 0.8; };
    Image image = noisy(crumbs, [](int) { return 0.9; });
    const double without = relativeError(filterNoise(image), crumbs, 0, width);
    std::vector<float>& lit = image.add("seen.lit.Y").pixels;
    for (std::size_t i = 0; i < lit.size(); ++i) lit[i] = i % 2 == 0 ? 0.1f : 0.5f;
    const double with = relativeError(filterNoise(image), crumbs, 0, width);
    CHECK(without > 0.15);
    CHECK(with < 0.06);
}

TEST_CASE("One sample per pixel is left as it is")
{
    Film film({0, 0, 4, 4}, 4, 4);
    for (int i = 0; i < 16; ++i) {
        PathResult sample;
        sample.radiance = Vec3f::Constant(static_cast<float>(i));
        film.add(i % 4, i / 4, 0, sample, 1);
    }
    const Image image = film.image();
    const Image clean = filterNoise(image);
    CHECK(clean.channels.size() == 3);
    CHECK(clean.at("R").pixels == image.at("R").pixels);
}

TEST_CASE("A filtered picture has the same bits for any number of threads")
{
    const auto ramp = [](int x) { return 0.1 + 0.02 * x; };
    const Image image = noisy(ramp, ramp);
    std::vector<float> one, seven;
    runWithThreads(1, [&] { one = filterNoise(image).at("G").pixels; });
    runWithThreads(7, [&] { seven = filterNoise(image).at("G").pixels; });
    CHECK(one == seven);
}
