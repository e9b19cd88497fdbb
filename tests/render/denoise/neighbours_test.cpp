// Light of neighbouring frames: used where they show the same, left out where they do not.
#include "render/denoise/neighbours.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace firn;

namespace {

constexpr int edge = 64;
constexpr float light = 0.5f, noise = 0.2f;

/// Noisy grey snow, 8 samples per pixel, seen from straight above.
Image frame(unsigned seed)
{
    Image image(edge, edge);
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(light, noise);
    std::vector<float> grey(image.pixelCount());
    for (float& value : grey) value = normal(random);
    for (const char* name : {"R", "G", "B"}) image.add(name).pixels = grey;
    const auto add = [&](const char* name, float value) { image.add(name).pixels.assign(image.pixelCount(), value); };
    for (const char* name : {"stderr.R", "stderr.G", "stderr.B", "stderr.Y"}) add(name, noise);
    for (const char* name : {"seen.albedo.R", "seen.albedo.G", "seen.albedo.B", "seen.N.Y"}) add(name, 1);
    for (const char* name : {"seen.N.X", "seen.N.Z"}) add(name, 0);
    add("samples", 8);
    image.metadata["worldToCamera"] = Matrix4f{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    image.metadata["firn.focal_length_mm"] = 35.0f;
    image.metadata["firn.sensor_width_mm"] = 36.0f;
    return image;
}

/// Of the left half, x < edge / 2, or of the right one.
double meanOf(const Image& image, const std::string& channel, bool isLeft)
{
    const std::vector<float>& pixels = image.at(channel).pixels;
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if ((i % edge < edge / 2) != isLeft) continue;
        sum += static_cast<double>(pixels[i]);
        ++count;
    }
    return sum / count;
}

double rmsError(const Image& image)
{
    double sum = 0;
    for (const float value : image.at("G").pixels) sum += std::pow(static_cast<double>(value - light), 2);
    return std::sqrt(sum / (edge * edge));
}

/// Changes the values of a channel in the right half.
void changeRight(Image& image, const std::string& channel, float change)
{
    std::vector<float>& pixels = image.find(channel)->pixels;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (i % edge >= edge / 2) pixels[i] += change;
    }
}

}  // namespace

TEST_CASE("Neighbours that show the same reduce noise as more samples do")
{
    const Image mean = withNeighbours(frame(1), {frame(2), frame(3)});
    CHECK(rmsError(frame(1)) == Approx(noise).epsilon(.05));
    CHECK(rmsError(mean) == Approx(noise / std::sqrt(3.0)).epsilon(.08));
    CHECK(meanOf(mean, "samples", true) == Approx(24).epsilon(.1));
    CHECK(meanOf(mean, "stderr.G", true) == Approx(noise / std::sqrt(3.0)).epsilon(.08));
    CHECK(meanOf(mean, "G", true) == Approx(light).margin(.01));
}

TEST_CASE("Where light, albedo or normal differ, a neighbour is left out")
{
    for (const auto& [channel, change] :
         {std::pair("R", .25f), std::pair("seen.albedo.G", -.1f), std::pair("seen.N.X", .5f)}) {
        INFO(channel);
        Image other = frame(2);
        changeRight(other, channel, change);
        if (channel == std::string("R")) {
            changeRight(other, "G", change);
            changeRight(other, "B", change);
        }
        const Image mean = withNeighbours(frame(1), {other});
        CHECK(meanOf(mean, "samples", true) > 14.5);
        CHECK(meanOf(mean, "samples", false) < 8.3);
        CHECK(meanOf(mean, "G", false) == Approx(light).margin(.02));
    }
}

TEST_CASE(
    "Light that differs by less than its noise can tell is used in part, and shifts the mean by less than its error")
{
    Image other = frame(2);
    for (const char* name : {"R", "G", "B"}) changeRight(other, name, .02f);  // a tenth of a pixel's noise
    const Image mean = withNeighbours(frame(1), {other});
    CHECK(meanOf(mean, "G", false) - meanOf(frame(1), "G", false) < .012);
}

TEST_CASE("Values that are not finite stay where they are, and glints stay those of the picture")
{
    Image picture = frame(1), other = frame(2);
    for (const char* name : {"glints.R", "glints.G", "glints.B"}) {
        picture.add(name).pixels.assign(picture.pixelCount(), 3);
        other.add(name).pixels.assign(other.pixelCount(), 7);
    }
    for (Image* const image : {&picture, &other}) {
        for (const char* name : {"R", "G", "B"}) {
            for (float& value : image->find(name)->pixels) value += image == &picture ? 3.0f : 7.0f;
        }
    }
    picture.find("G")->pixels[5] = std::numeric_limits<float>::quiet_NaN();
    other.find("G")->pixels[900] = std::numeric_limits<float>::infinity();
    const Image mean = withNeighbours(picture, {other});
    int notFinite = 0;
    for (const float value : mean.at("G").pixels) notFinite += !std::isfinite(value);
    CHECK(notFinite == 1);
    CHECK(meanOf(mean, "R", true) == Approx(light + 3).margin(.02));
    CHECK(meanOf(mean, "samples", true) > 14);
}

TEST_CASE("Pictures of another size or camera do not show the same places")
{
    const Image a = frame(1);
    CHECK(showSamePlaces(a, frame(2)));
    Image b = frame(2);
    std::get<Matrix4f>(b.metadata.at("worldToCamera"))[3] = 1;
    CHECK_FALSE(showSamePlaces(a, b));
    b = frame(2);
    b.metadata["firn.focal_length_mm"] = 50.0f;
    CHECK_FALSE(showSamePlaces(a, b));
    b = frame(2);
    b.metadata["firn.lens_shift_x"] = b.metadata["firn.lens_shift_y"] = 0.25f;
    CHECK_FALSE(showSamePlaces(a, b));
    CHECK(showSamePlaces(b, b));
    b = frame(2);
    b.origin_x = 1;
    CHECK_FALSE(showSamePlaces(a, b));
    b = frame(2);
    b.metadata.erase("worldToCamera");
    CHECK_FALSE(showSamePlaces(a, b));
}
