#include "render/denoise/neighbours.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/image/luminance.h"
#include "render/denoise/box_mean.h"

namespace firn {

namespace {

const std::array<std::string, 3> rgb = {"R", "G", "B"}, xyz = {"X", "Y", "Z"};
constexpr std::array patchRadii = {1, 3, 7};             // pixels
constexpr float certain = 2, impossible = 4;             // standard errors
constexpr float albedoTolerance = 0.02f, cosine = .97f;  // of surfaces that count as alike

/// R, G and B without what has no noise.
Planes scatteredLight(const Image& image)
{
    Planes light;
    for (std::size_t c = 0; c < 3; ++c) {
        light[c] = image.at(rgb[c]).pixels;
        for (const char* mirrored : {"glints.", "gloss."}) {
            const Channel* const channel = image.find(mirrored + rgb[c]);
            if (channel == nullptr) continue;
            for (std::size_t i = 0; i < light[c].size(); ++i) light[c][i] -= channel->pixels[i];
        }
    }
    return light;
}

Planes planes(const Image& image, const std::string& layer, const std::array<std::string, 3>& names)
{
    Planes result;
    for (std::size_t c = 0; c < 3; ++c) result[c] = image.at(layer + names[c]).pixels;
    return result;
}

/// Where both pictures see the same surface: 1, elsewhere 0.
std::vector<float> alikeSurfaces(const Image& a, const Image& b)
{
    const Planes albedoA = planes(a, "seen.albedo.", rgb), albedoB = planes(b, "seen.albedo.", rgb),
                 normalA = planes(a, "seen.N.", xyz), normalB = planes(b, "seen.N.", xyz);
    std::vector<float> alike(a.pixelCount());
    for (std::size_t i = 0; i < alike.size(); ++i) {
        float albedo = 0, product = 0, squareA = 0, squareB = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            albedo = std::max(albedo, std::abs(albedoA[c][i] - albedoB[c][i]));
            product += normalA[c][i] * normalB[c][i];
            squareA += normalA[c][i] * normalA[c][i];
            squareB += normalB[c][i] * normalB[c][i];
        }
        const bool isSky = squareA == 0 && squareB == 0;
        alike[i] =
            albedo <= albedoTolerance && (isSky || product > cosine * std::sqrt(squareA * squareB)) ? 1.0f : 0.0f;
    }
    return alike;
}

std::vector<float> luminanceOf(const Planes& light)
{
    std::vector<float> result(light[0].size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = luminance(light[0][i], light[1][i], light[2][i]);
    return result;
}

/// A frame as light and its error.
struct Measured {
    Planes light, error;
    std::vector<float> brightness, brightness_error, samples;  // brightness: luminance

    explicit Measured(const Image& image)
        : light(scatteredLight(image)),
          error(planes(image, "stderr.", rgb)),
          brightness(luminanceOf(light)),
          brightness_error(image.at("stderr.Y").pixels),
          samples(image.at("samples").pixels)
    {
    }
};

/// How much each pixel of a neighbour counts, 0 to 1. `alike`: 1 where both show the same surface; it becomes 0 where a
/// value is not finite.
std::vector<float> weightsOf(const Measured& a, const Measured& b, std::vector<float> alike, int width, int height)
{
    std::vector<float> difference(alike.size()), variance(alike.size());
    for (std::size_t i = 0; i < alike.size(); ++i) {
        const float error = std::hypot(a.brightness_error[i], b.brightness_error[i]);
        const float d = a.brightness[i] - b.brightness[i];
        if (!std::isfinite(d) || !std::isfinite(error)) alike[i] = 0;
        if (alike[i] == 0) continue;
        difference[i] = d;
        variance[i] = error * error;
    }
    std::vector<float> weights = std::move(alike);
    for (const int radius : patchRadii) {
        const std::vector<float> means = boxMean(difference, width, height, radius),
                                 variances = boxMean(variance, width, height, radius);
        const float edge = static_cast<float>(2 * radius + 1);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (means[i] == 0) continue;
            const float errors = edge * std::abs(means[i]) / std::sqrt(std::max(variances[i], 1e-30f));
            weights[i] *= std::clamp((impossible - errors) / (impossible - certain), 0.0f, 1.0f);
        }
    }
    return weights;
}

}  // namespace

bool showSamePlaces(const Image& a, const Image& b)
{
    const auto window = [](const Image& i) {
        return std::array{i.width, i.height, i.origin_x, i.origin_y, i.display_width, i.display_height};
    };
    const auto isSame = [&](const char* key) {
        const auto inA = a.metadata.find(key), inB = b.metadata.find(key);
        return inA != a.metadata.end() && inB != b.metadata.end() && inA->second == inB->second;
    };
    const auto isSameOrMissing = [&](const char* key) {
        return isSame(key) || (!a.metadata.contains(key) && !b.metadata.contains(key));
    };
    const auto hasSeen = [](const Image& i) { return i.find("seen.albedo.R") != nullptr; };  // not in all parts
    return hasSeen(a) && hasSeen(b) && window(a) == window(b) && isSame("worldToCamera") &&
           isSame("firn.focal_length_mm") && isSame("firn.sensor_width_mm") && isSameOrMissing("firn.lens_shift_x") &&
           isSameOrMissing("firn.lens_shift_y");
}

Image withNeighbours(const Image& picture, const std::vector<Image>& neighbours)
{
    const Measured own(picture);
    Planes sum = own.light, squares = own.error;
    std::vector<float> samples = own.samples;
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < samples.size(); ++i) {
            sum[c][i] *= samples[i];
            squares[c][i] = std::pow(samples[i] * own.error[c][i], 2.0f);
        }
    }
    for (const Image& neighbour : neighbours) {
        const Measured other(neighbour);
        const std::vector<float> weights =
            weightsOf(own, other, alikeSurfaces(picture, neighbour), picture.width, picture.height);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const float weight = weights[i] * other.samples[i];
            if (weight == 0) continue;
            samples[i] += weight;
            for (std::size_t c = 0; c < 3; ++c) {
                sum[c][i] += weight * other.light[c][i];
                squares[c][i] += std::pow(weight * other.error[c][i], 2.0f);
            }
        }
    }
    Image result = picture;
    for (std::size_t c = 0; c < 3; ++c) {
        std::vector<float>&light = result.find(rgb[c])->pixels, &error = result.find("stderr." + rgb[c])->pixels;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            light[i] += sum[c][i] / samples[i] - own.light[c][i];
            error[i] = std::sqrt(squares[c][i]) / samples[i];
        }
    }
    result.find("samples")->pixels = samples;
    return result;
}

}  // namespace firn
