#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "common/compare/comparison.h"
#include "common/error.h"

using namespace firn;

namespace {

Image uniformImage(int width, int height, float r, float g, float b)
{
    Image image(width, height);
    const std::pair<const char*, float> channels[] = {{"R", r}, {"G", g}, {"B", b}};
    for (const auto& [name, value] : channels) image.add(name).pixels.assign(image.pixelCount(), value);
    return image;
}

Layer rgbOf(const Image& image) { return layersOf(image).front(); }

PixelPlane stripes(float low, float high, int width, int height)
{
    PixelPlane plane(width, height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) plane.row(y)[x] = x % 2 ? high : low;
    }
    return plane;
}

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("Plain metrics of two pixels have their closed forms")
{
    Image a = uniformImage(2, 1, 0, 0, 0), b = a;
    a.origin_x = b.origin_x = 10;
    a.find("R")->pixels = {0.5f, 1};
    b.find("R")->pixels = {1, 1};
    b.find("B")->pixels = {0, -0.25f};
    // Six values; differences .5 at reference .5 and -.25 at reference 0.
    const LayerMetrics m = layerMetrics(a, b, rgbOf(a), {0, 0, 2, 1}, 2);
    CHECK(m.mean_a == Approx(1.5 / 6));
    CHECK(m.mean_difference == Approx(0.25 / 6));
    CHECK(m.mean_absolute == Approx(0.75 / 6));
    CHECK(m.rms == Approx(std::sqrt((0.25 + 0.0625) / 6)));
    CHECK(m.relative_mse == Approx((0.25 / 0.26 + 0.0625 / 0.01) / 6));
    CHECK(m.psnr_db == Approx(10 * std::log10(4 / (0.3125 / 6))));
    CHECK(m.largest.value == 0.5);
    CHECK(m.largest.channel == "R");
    CHECK(m.largest.x == 10);
    CHECK(m.largest.y == 0);
}

TEST_CASE("The same images have no difference and infinite PSNR")
{
    const Image a = uniformImage(16, 16, 0.2f, 0.4f, 0.8f);
    const Comparison same = compareImages(a, a, {});
    CHECK(same.isSame());
    CHECK(same.main().psnr_db == std::numeric_limits<double>::infinity());
    CHECK(same.main().largest.channel.empty());
    CHECK(same.ssim == Approx(1));
    CHECK(same.flip_mean == 0.0);
    CHECK_FALSE(same.significance);
}

TEST_CASE("Plain metrics but the relative one are the same both ways")
{
    const Image a = uniformImage(4, 4, 0.2f, 0.4f, 0.8f), b = uniformImage(4, 4, 0.5f, 0.4f, 0.1f);
    const LayerMetrics there = layerMetrics(a, b, rgbOf(a), {0, 0, 4, 4}),
                       back = layerMetrics(b, a, rgbOf(a), {0, 0, 4, 4});
    CHECK(there.rms == back.rms);
    CHECK(there.psnr_db == back.psnr_db);
    CHECK(there.mean_absolute == back.mean_absolute);
    CHECK(there.mean_difference == -back.mean_difference);
    CHECK(there.relative_mse != back.relative_mse);
}

TEST_CASE("Structural similarity of uniform images is the luminance term alone")
{
    // No variance: (2 u v + C1) / (u² + v² + C1) with C1 = (0.01 L)².
    const PixelPlane a = stripes(0.25f, 0.25f, 16, 12), b = stripes(0.75f, 0.75f, 16, 12);
    const PixelWindow all{0, 0, 16, 12};
    CHECK(structuralSimilarity(a, b, all) == Approx((0.375 + 1e-4) / (0.625 + 1e-4)).epsilon(1e-5));
    CHECK(structuralSimilarity(a, b, all, 10) == Approx((0.375 + 1e-2) / (0.625 + 1e-2)).epsilon(1e-5));
    CHECK(structuralSimilarity(a, a, all) == Approx(1));
}

TEST_CASE("Structural similarity of opposite stripes is that of their window sums")
{
    // Values are m ± d about the middle: with W the window's sum over (-1)^x, local means are m ± d W, variances
    // d² (1 - W²), the covariance of opposite stripes its negative.
    double weight = 0, alternating = 0;
    for (int x = -5; x <= 5; ++x) {
        const double g = std::exp(-x * x / 4.5);
        weight += g;
        alternating += x % 2 ? -g : g;
    }
    const double m = 0.5, d = 0.25, shift = d * alternating / weight, variance = d * d - shift * shift;
    const double u = m - shift, v = m + shift, c1 = 1e-4, c2 = 9e-4;
    const double expected = (2 * u * v + c1) / (u * u + v * v + c1) * (c2 - 2 * variance) / (2 * variance + c2);
    const PixelPlane a = stripes(0.25f, 0.75f, 24, 16), b = stripes(0.75f, 0.25f, 24, 16);
    CHECK(expected < -0.9);
    CHECK(structuralSimilarity(a, b, {0, 0, 24, 16}) == Approx(expected).epsilon(1e-4));
    CHECK(structuralSimilarity(a, b, {0, 0, 24, 16}) == Approx(structuralSimilarity(b, a, {0, 0, 24, 16})));
}

TEST_CASE("Structural similarity is not a number where no window fits")
{
    const PixelPlane a = stripes(0, 1, 10, 40);
    CHECK(std::isnan(structuralSimilarity(a, a, {0, 0, 10, 40})));
    CHECK(std::isnan(structuralSimilarity(stripes(0, 1, 40, 40), stripes(0, 1, 40, 40), {0, 0, 5, 40})));
}

TEST_CASE("Pixels that are not finite are counted and left out of every sum")
{
    Image a = uniformImage(16, 16, 0.5f, 0.5f, 0.5f), b = a;
    a.find("G")->pixels[3] = notANumber;
    b.find("G")->pixels[3] = INFINITY;
    CHECK(compareImages(a, b, {}).isSame());
    b.find("B")->pixels[7] = notANumber;
    const Comparison c = compareImages(a, b, {});
    CHECK_FALSE(c.isSame());
    CHECK(c.main().not_finite_a == 1);
    CHECK(c.main().not_finite_b == 2);
    CHECK(c.main().not_finite_in_one == 1);
    CHECK(c.main().pixels == 254);
    CHECK(c.main().rms == 0);
    CHECK(c.main().mean_a == 0.5);
    CHECK(c.flip_mean == 0.0);
    CHECK(c.ssim == Approx(1));
}

TEST_CASE("A region leaves out the rest, in pixels of the whole picture")
{
    Image a = uniformImage(8, 8, 0, 0, 0);
    a.origin_x = 100;
    a.origin_y = 50;
    Image b = a;
    b.find("R")->pixels[8 * 2 + 3] = 3;  // (103, 52)
    CompareSettings settings;
    settings.region = PixelWindow{103, 52, 1, 1};
    CHECK(compareImages(a, b, settings).main().rms == Approx(std::sqrt(3)));
    settings.region = PixelWindow{104, 52, 4, 6};
    CHECK(compareImages(a, b, settings).isSame());
    settings.region = PixelWindow{104, 52, 5, 1};
    CHECK_THROWS_WITH(compareImages(a, b, settings), Catch::Contains("8 x 8 pixels from (100, 50)"));
}

TEST_CASE("Channels make layers by what stands before their last dot")
{
    Image image(1, 1);
    for (const char* name : {"A", "B", "G", "R", "depth.Z", "light.sun.B", "light.sun.G", "light.sun.R", "stderr.B",
                             "stderr.G", "stderr.R", "stderr.Y"}) {
        image.add(name);
    }
    const std::vector<Layer> layers = layersOf(image);
    REQUIRE(layers.size() == 5);
    CHECK(layers[0].name == "rgb");
    CHECK(layers[0].channels == std::vector<std::string>{"R", "G", "B"});
    CHECK(layers[1].name == "A");
    CHECK_FALSE(layers[2].isColor());
    CHECK(layers[3].name == "light.sun");
    CHECK(layers[3].isColor());
    CHECK(layers[4].channels == std::vector<std::string>{"stderr.R", "stderr.G", "stderr.B", "stderr.Y"});
}

TEST_CASE("Layers, metadata and alpha that differ are told")
{
    Image a = uniformImage(2, 2, 0, 0, 0), b = a;
    a.add("depth.Z").pixels[1] = 4;
    b.add("depth.Z").pixels[1] = 6;
    a.add("samples");
    b.add("A").pixels = {1.0001f, 2, notANumber, -1};
    a.metadata = {{"firn.seed", std::string("1")}, {"firn.spp", 8}, {"firn.fps", 24.0f}};
    b.metadata = {{"firn.seed", std::string("2")}, {"firn.spp", 8}};
    const Comparison c = compareImages(a, b, {});
    CHECK_FALSE(c.isSame());
    REQUIRE(c.layers.size() == 2);
    CHECK(c.layers[0].isSame());
    CHECK(c.layers[1].layer == "depth");
    CHECK(c.layers[1].rms == 1);
    CHECK(c.only_a == std::vector<std::string>{"samples"});
    CHECK(c.only_b == std::vector<std::string>{"A"});
    CHECK(c.alpha_errors_b == 3);
    REQUIRE(c.metadata.size() == 2);
    CHECK(c.metadata[0].key == "firn.fps");
    CHECK(c.metadata[0].a == "24");
    CHECK(c.metadata[0].b.empty());
    CHECK(c.metadata[1].b == "2");
    CompareSettings depth;
    depth.layer = "depth";
    CHECK(compareImages(a, b, depth).main().rms == 1);
    CHECK_FALSE(compareImages(a, b, depth).flip_mean);
    depth.layer = "normals";
    CHECK_THROWS_WITH(compareImages(a, b, depth),
                      Catch::Contains("normals") && Catch::Contains("'rgb', 'depth', 'samples'"));
}

TEST_CASE("Images of different windows are refused with both sizes")
{
    Image a = uniformImage(4, 4, 0, 0, 0), b = uniformImage(4, 5, 0, 0, 0);
    CHECK_THROWS_WITH(compareImages(a, b, {}), Catch::Contains("4 x 4") && Catch::Contains("4 x 5"));
    b = a;
    b.origin_x = 1;
    b.display_width = 8;
    CHECK_THROWS_WITH(compareImages(a, b, {}), Catch::Contains("at (1, 0) of 8 x 4"));
}
