#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <random>

#include "common/error.h"
#include "common/io/checked_file.h"
#include "render/denoise/denoised_layers.h"
#include "render/denoise/weights.h"
#include "render/film.h"
#include "render/radiance.h"
#include "render/seen_surface.h"
#include "tests/temporary_folder.h"
#include "weights_file.h"

using namespace firn;

namespace {

constexpr int width = 64, height = 48;

std::size_t indexOf(int x, int y)
{
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
}

/// Samples of radiance spread evenly over [0.5, 1.5]; those from the column `dark` on are `darkness` times that.
Film film(int samples, int dark = width, float darkness = 1)
{
    Film result({0, 0, width, height}, width, height);
    std::mt19937 random(11);
    std::uniform_real_distribution<float> uniform(0.5f, 1.5f);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int i = 0; i < samples; ++i) {
                PathResult sample;
                sample.alpha = 1;
                sample.radiance = Vec3f::Constant(uniform(random) * (x < dark ? 1 : darkness));
                result.add(x, y, i, sample, 1);
                result.addSeen(x, y, {true, Vec3f::UnitY(), Vec3f::Ones()});
            }
        }
    }
    return result;
}

/// A network that gives a part of its input back: the middle of its kernels passes three channels on from `first`: 0
/// is the colour, 3 the albedo. Everything else is zero.
Tensors identity(int first = 0)
{
    Tensors weights = smallWeights();
    for (auto& [name, tensor] : weights) std::fill(tensor.values.begin(), tensor.values.end(), 0.0f);
    const auto pass = [&](const std::string& layer, int from) {
        Tensor& tensor = weights.at(layer + ".weight");
        for (int c = 0; c < 3; ++c) {
            const int middle = (c * tensor.shape[1] + from + c) * 9 + 4;
            tensor.values[static_cast<std::size_t>(middle)] = 1;
        }
    };
    pass("dec_conv1a", 16 + first);  // the input comes after the 16 channels from below
    pass("dec_conv1b", 0);
    pass("dec_conv0", 0);
    return weights;
}

void ignore(const std::string&) {}

}  // namespace

TEST_CASE(
    "A network that changes nothing gives the picture back, and the error of its two halves is its standard error")
{
    const TemporaryFolder folder;
    writeFileChecked(folder.path / "identity.tza", tzaBytes(identity()));
    LayerDenoiser denoiser(DenoiserChoice::Network, folder.path / "identity.tza");
    for (const int samples : {8, 5}) {
        const Film samplesOfPixels = film(samples);
        Image image = samplesOfPixels.image();
        const HalfPicture half = samplesOfPixels.half();
        denoiser.addLayers(image, &half, ignore);
        double squares = 0, expected = 0;
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            CHECK(image.at("denoised.G").pixels[i] == Approx(image.at("G").pixels[i]).epsilon(1e-3));
            squares += std::pow(static_cast<double>(image.at("denoised.stderr.Y").pixels[i]), 2);
            expected += std::pow(static_cast<double>(image.at("stderr.Y").pixels[i]), 2);
        }
        CHECK(std::sqrt(squares / expected) == Approx(1).epsilon(0.05));
    }
}

TEST_CASE("A dark place does not get the error of a bright one beside it")
{
    const TemporaryFolder folder;
    writeFileChecked(folder.path / "identity.tza", tzaBytes(identity()));
    LayerDenoiser denoiser(DenoiserChoice::Network, folder.path / "identity.tza");
    constexpr int edge = width / 2;
    const Film samples = film(8, edge, 0.01f);
    Image image = samples.image();
    const HalfPicture half = samples.half();
    denoiser.addLayers(image, &half, ignore);
    double squares = 0;
    for (int y = 0; y < height; ++y) {
        squares += std::pow(static_cast<double>(image.at("denoised.stderr.Y").pixels[indexOf(edge + 1, y)]), 2);
    }
    const double expected = 0.01 / std::sqrt(12. * 8);  // of one sample, over the root of the number of samples
    CHECK(std::sqrt(squares / height) > expected);
    CHECK(std::sqrt(squares / height) < 5 * expected);
}

TEST_CASE("The network makes no pixel brighter than the brightest of the noisy picture around it")
{
    const TemporaryFolder folder;
    Tensors twice = identity();
    for (float& value : twice.at("dec_conv0.weight").values) value *= 2;
    writeFileChecked(folder.path / "twice.tza", tzaBytes(twice));
    LayerDenoiser denoiser(DenoiserChoice::Network, folder.path / "twice.tza");
    const Film samples = film(4);
    Image image = samples.image();
    denoiser.addLayers(image, nullptr, ignore);
    const std::vector<float>&noisy = image.at("G").pixels, &clean = image.at("denoised.G").pixels;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            float most = 0;
            for (int v = std::max(0, y - 15); v <= std::min(height - 1, y + 15); ++v)
                for (int u = std::max(0, x - 15); u <= std::min(width - 1, x + 15); ++u)
                    most = std::max(most, noisy[indexOf(u, v)]);
            CHECK(clean[indexOf(x, y)] == most);
        }
    }
}

TEST_CASE("The error of a denoised picture is at most four times that of the noisy one")
{
    const TemporaryFolder folder;
    writeFileChecked(folder.path / "identity.tza", tzaBytes(identity()));
    LayerDenoiser denoiser(DenoiserChoice::Network, folder.path / "identity.tza");
    const Film samples = film(8);
    Image image = samples.image();
    HalfPicture half = samples.half();
    constexpr std::size_t bright = 20 * width + 30;
    for (auto& plane : half.colour) plane[bright] = 100;  // as if the mirror image of a sun were in one half only
    denoiser.addLayers(image, &half, ignore);
    const float around = image.at("denoised.stderr.Y").pixels[bright];
    // Even noise over [0.5, 1.5]: a standard error of 1 / sqrt(12 * 8) = 0.102, from the errors of 9 pixels.
    CHECK(around == Approx(4 / std::sqrt(96.)).epsilon(0.25));
}

TEST_CASE("A network is named by the checksum of its weights, and weights that are not the published ones are remarked")
{
    const TemporaryFolder folder;
    writeFileChecked(folder.path / "a b.tza", tzaBytes(identity()));
    const LayerDenoiser denoiser(DenoiserChoice::Network, folder.path / "a b.tza");
    const std::string checksum = denoiser.name().substr(8);
    CHECK(denoiser.name().starts_with("network "));
    CHECK(checksum.size() == 16);
    CHECK(denoiser.remark().starts_with("the weights a b.tza " + checksum + " are not those"));
    const LayerDenoiser filter(DenoiserChoice::Filter, "");
    CHECK(filter.name() == "filter");
    CHECK(filter.remark().empty());
}

TEST_CASE("The network gets more albedo where suns and lamps shine")
{
    const TemporaryFolder folder;
    Tensors weights = identity(3);
    for (float& value : weights.at("dec_conv0.weight").values) value *= 0.05f;  // not brighter than the picture
    writeFileChecked(folder.path / "albedo.tza", tzaBytes(weights));
    LayerDenoiser denoiser(DenoiserChoice::Network, folder.path / "albedo.tza");
    Image image = film(2).image();
    std::vector<float>& lit = image.add("seen.lit.Y").pixels;
    for (std::size_t i = 0; i < lit.size(); ++i) lit[i] = i % 2 == 0 ? 0 : 0.4f;
    lit[1] = 4;
    Image plain = film(2).image();
    denoiser.addLayers(image, nullptr, ignore);
    denoiser.addLayers(plain, nullptr, ignore);
    // The albedo is 1: shade gets 0.3, and places as bright as the mean of what is lit 0.3 + 0.7 / 2, at most 1.
    const std::vector<float>&clean = image.at("denoised.G").pixels, &white = plain.at("denoised.G").pixels;
    CHECK(clean[0] < clean[3]);
    CHECK(clean[3] < clean[1]);
    CHECK(clean[1] == Approx(white[1]));
}

TEST_CASE("With lit places the network gets smooth normals, but for edges of albedo")
{
    const TemporaryFolder folder;
    writeFileChecked(folder.path / "normal.tza", tzaBytes(identity(6)));
    LayerDenoiser denoiser(DenoiserChoice::Network, folder.path / "normal.tza");
    Image image = film(2).image();
    image.add("seen.lit.Y").pixels.assign(image.pixelCount(), 0.3f);
    const auto at = [](std::size_t x) { return std::size_t{20} * width + x; };
    // Normals jump at the columns 16 and 40; at 40 the albedo jumps, too.
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const auto x = static_cast<int>(i % width);
        image.find("seen.N.Y")->pixels[i] = x < 16 || x >= 40 ? 1.0f : -1.0f;
        if (x >= 40) image.find("seen.albedo.G")->pixels[i] = 0.2f;
    }
    denoiser.addLayers(image, nullptr, ignore);
    const std::vector<float>& clean = image.at("denoised.G").pixels;
    CHECK(clean[at(16)] > 1.2f * clean[at(25)]);
    CHECK(clean[at(39)] == Approx(clean[at(25)]));
    CHECK(clean[at(40)] == Approx(clean[at(50)]));
}

TEST_CASE("Without an estimate of noise there is no error layer")
{
    const TemporaryFolder folder;
    writeFileChecked(folder.path / "identity.tza", tzaBytes(identity()));
    LayerDenoiser denoiser(DenoiserChoice::Network, folder.path / "identity.tza");
    const Film single = film(1);
    Image image = single.image();
    const HalfPicture half = single.half();
    denoiser.addLayers(image, &half, ignore);
    CHECK(image.find("denoised.R") != nullptr);
    CHECK(image.find("denoised.stderr.Y") == nullptr);
}

TEST_CASE("Pixels that are not finite are named, healed in the denoised layers and kept in the others")
{
    Film samples = film(4);
    PathResult broken;
    broken.radiance = Vec3f(NAN, 1, 1);
    samples.add(3, 1, 4, broken, 1);
    Image image = samples.image();
    const HalfPicture half = samples.half();
    std::string warning;
    LayerDenoiser(DenoiserChoice::Filter, "").addLayers(image, &half, [&](const auto& text) { warning = text; });
    CHECK(warning.find("1 pixels are not finite, the first at x = 3, y = 1") != std::string::npos);
    CHECK(std::isnan(image.at("R").pixels[width + 3]));
    for (const char* layer : {"denoised.R", "denoised.stderr.Y"}) {
        for (const float value : image.at(layer).pixels) CHECK(std::isfinite(value));
    }
}

TEST_CASE("A picture without a layer that the network needs is refused by the layer's name")
{
    const TemporaryFolder folder;
    writeFileChecked(folder.path / "identity.tza", tzaBytes(identity()));
    Image image(4, 4);
    for (const char* name : {"R", "G", "B", "samples"}) image.add(name);
    LayerDenoiser denoiser(DenoiserChoice::Network, folder.path / "identity.tza");
    CHECK_THROWS_WITH(denoiser.addLayers(image, nullptr, ignore), Catch::Contains("albedo.R"));
}

TEST_CASE("Weights are found by the option, then by the environment; a wrong name is an error")
{
    const TemporaryFolder folder;
    writeFileChecked(folder.path / "a.tza", std::string_view("a"));
    writeFileChecked(folder.path / "b.tza", std::string_view("b"));
    ::setenv("FIRN_DENOISER_WEIGHTS", (folder.path / "b.tza").c_str(), 1);
    CHECK(findDenoiserWeights(folder.path / "a.tza") == folder.path / "a.tza");
    CHECK(findDenoiserWeights("") == folder.path / "b.tza");
    ::setenv("FIRN_DENOISER_WEIGHTS", (folder.path / "c.tza").c_str(), 1);
    CHECK_THROWS_WITH(findDenoiserWeights(""), Catch::Contains("FIRN_DENOISER_WEIGHTS") && Catch::Contains("c.tza"));
    ::unsetenv("FIRN_DENOISER_WEIGHTS");
    CHECK_THROWS_WITH(findDenoiserWeights(folder.path / "c.tza"), Catch::Contains("--denoiser-weights"));
    CHECK_THROWS_AS(LayerDenoiser(DenoiserChoice::Auto, folder.path / "a.tza"), Error);  // not weights
}

TEST_CASE("Glints and gloss are taken away before denoising and added after it")
{
    Film bright = film(8);
    bright.addSeen(20, 30, {true, Vec3f::UnitY(), Vec3f::Ones(), Vec3f::Constant(900), Vec3f::Constant(450)});
    const Film plain = film(8);
    LayerDenoiser denoiser(DenoiserChoice::Filter, {});
    Image withGlints = bright.image(), without = plain.image();
    const HalfPicture half = plain.half();
    denoiser.addLayers(withGlints, &half, ignore);
    denoiser.addLayers(without, &half, ignore);
    const std::size_t pixel = 30 * width + 20;
    const std::vector<float>&clean = without.at("denoised.R").pixels, &found = withGlints.at("denoised.R").pixels;
    CHECK(withGlints.at("glints.R").pixels[pixel] == 100);
    CHECK(withGlints.at("gloss.R").pixels[pixel] == 50);
    for (std::size_t i = 0; i < clean.size(); ++i)
        CHECK(found[i] == Approx(clean[i] + (i == pixel ? 150 : 0)).margin(1e-4));
    CHECK(withGlints.at("denoised.stderr.Y").pixels[pixel] < 1);
}
