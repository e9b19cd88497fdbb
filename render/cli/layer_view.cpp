#include "render/cli/layer_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "common/compare/heat_map.h"
#include "common/compare/layers.h"
#include "common/error.h"

namespace firn {

namespace {

Layer chosenLayer(const Image& image, const std::string& wanted)
{
    const std::vector<Layer> layers = layersOf(image);
    const auto has = [&](const std::string& name) { return std::ranges::count(layers, name, &Layer::name) > 0; };
    const std::string name = !wanted.empty() ? wanted : has("denoised") ? "denoised" : "rgb";
    if (const auto found = std::ranges::find(layers, name, &Layer::name); found != layers.end()) return *found;
    if (image.find(name) != nullptr) return {name, {name}};
    throw Error(ExitCode::Usage,
                "--layer " + clampText(name) + ": the picture has no such layer" + nearestLayerText(name, layers));
}

bool isVector(const Layer& layer)
{
    return layer.channels.size() == 3 && layer.channels[0].ends_with(".X") && layer.channels[1].ends_with(".Y") &&
           layer.channels[2].ends_with(".Z");
}

bool isNormal(const Layer& layer) { return isVector(layer) && (layer.name == "N" || layer.name.ends_with(".N")); }

bool isAlbedo(const Layer& layer) { return layer.name == "albedo" || layer.name.ends_with(".albedo"); }

/// The three channels of the layer as R, G and B.
Image asColors(const Image& image, const Layer& layer)
{
    Image result(image.width, image.height);
    const char* const names[3] = {"R", "G", "B"};
    for (std::size_t c = 0; c < 3; ++c) result.add(names[c]).pixels = image.at(layer.channels[c]).pixels;
    return result;
}

std::uint8_t byteOf(float share)
{
    return std::isfinite(share) ? static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0f, 1.0f))) : 0;
}

Rgb8Image normalColors(const Image& image)
{
    Rgb8Image result{image.width, image.height, std::vector<std::uint8_t>(3 * image.pixelCount())};
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const float n[3] = {image.channels[0].pixels[i], image.channels[1].pixels[i], image.channels[2].pixels[i]};
        if (n[0] == 0 && n[1] == 0 && n[2] == 0) continue;
        for (std::size_t c = 0; c < 3; ++c) result.pixels[3 * i + c] = byteOf((n[c] + 1) / 2);
    }
    return result;
}

struct Range {
    float least, greatest;

    float share(float value) const
    {
        return greatest > least ? (value - least) / (greatest - least) : (value > least ? 1.0f : 0.0f);
    }
    std::string text() const
    {
        char result[64];
        std::snprintf(result, sizeof result, "%.4g to %.4g", static_cast<double>(least), static_cast<double>(greatest));
        return result;
    }
};

/// The given range, or that of the values without the least and greatest half per cent: a few fireflies would darken
/// the rest.
Range rangeOf(const Image& image, const Layer& layer, const std::vector<double>& given)
{
    if (!given.empty()) return {static_cast<float>(given[0]), static_cast<float>(given[1])};
    std::vector<float> finite;
    for (const std::string& name : layer.channels) {
        std::ranges::copy_if(image.at(name).pixels, std::back_inserter(finite),
                             [](float value) { return std::isfinite(value); });
    }
    if (finite.empty()) return {0, 0};
    std::ranges::sort(finite);
    const std::size_t leftOut = finite.size() / 200;
    return {finite[leftOut], finite[finite.size() - 1 - leftOut]};
}

Rgb8Image vectorColors(const Image& image, const Range& range)
{
    Rgb8Image result{image.width, image.height, std::vector<std::uint8_t>(3 * image.pixelCount())};
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            result.pixels[3 * i + c] = byteOf(range.share(image.channels[c].pixels[i]));
        }
    }
    return result;
}

Rgb8Image heatColors(const Channel& channel, const Image& image, const Range& range)
{
    PixelPlane shares(image.width, image.height);
    std::ranges::transform(channel.pixels, shares.values.begin(),
                           [&](float value) { return std::isfinite(value) ? range.share(value) : 0; });
    return heatMap(shares);
}

/// Refuses options that the layer has no use for.
void requireFitting(const LayerChoice& choice, const Layer& layer)
{
    const std::string name = clampText(layer.name);
    if (choice.tones && !layer.isColor())
        throw Error(ExitCode::Usage, "--view and --exposure are for colours, and " + name + " is not a colour");
    if (!choice.range.empty() && (layer.isColor() || isNormal(layer)))
        throw Error(ExitCode::Usage, "--range is for positions and single channels, and " + name + " is neither");
}

std::string tonesText(const Tones& tones)
{
    char text[64];
    std::snprintf(text, sizeof text, "%s, exposure %g", tones.view == View::Srgb ? "srgb" : "filmic", tones.exposure);
    return text;
}

}  // namespace

Tones tonesOf(const Image& image)
{
    Tones tones;
    if (const auto* view = metadataAt<std::string>(image.metadata, "firn.view")) tones.view = viewByName(*view);
    if (const auto* exposure = metadataAt<float>(image.metadata, "firn.exposure")) {
        tones.exposure = static_cast<double>(*exposure);
    }
    return tones;
}

LayerView viewLayer(const Image& image, const LayerChoice& choice)
{
    const Layer layer = chosenLayer(image, choice.layer);
    requireFitting(choice, layer);
    const std::string name = clampText(layer.name) + ": ";
    if (layer.isColor()) {
        const Tones tones = choice.tones ? *choice.tones : isAlbedo(layer) ? Tones{View::Srgb, 0} : tonesOf(image);
        return {displayImage(asColors(image, layer), tones.view, tones.exposure), name + tonesText(tones)};
    }
    if (isNormal(layer)) return {normalColors(asColors(image, layer)), name + "(n + 1) / 2"};
    const Range range = rangeOf(image, layer, choice.range);
    if (isVector(layer)) return {vectorColors(asColors(image, layer), range), name + range.text()};
    if (layer.channels.size() == 1) {
        return {heatColors(image.at(layer.channels[0]), image, range), name + range.text()};
    }
    std::string channels;
    for (const std::string& channel : layer.channels) channels += (channels.empty() ? "" : ", ") + clampText(channel);
    throw Error(ExitCode::Usage, "--layer " + clampText(layer.name) + ": give one of its channels: " + channels);
}

}  // namespace firn
