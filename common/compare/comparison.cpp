#include "common/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/error.h"

namespace firn {

namespace {

std::string windowText(const Image& image)
{
    std::string text = std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels";
    if (image.width != image.display_width || image.height != image.display_height) {
        text += " at (" + std::to_string(image.origin_x) + ", " + std::to_string(image.origin_y) + ") of " +
                std::to_string(image.display_width) + " x " + std::to_string(image.display_height);
    }
    return text;
}

void requireSameWindow(const Image& a, const Image& b)
{
    const auto window = [](const Image& i) {
        return std::array{i.width, i.height, i.origin_x, i.origin_y, i.display_width, i.display_height};
    };
    if (window(a) == window(b)) return;
    throw Error(ExitCode::File, "different sizes: A has " + windowText(a) + ", B has " + windowText(b));
}

const Layer* findLayer(const std::vector<Layer>& layers, const std::string& name)
{
    const auto found = std::find_if(layers.begin(), layers.end(), [&](const Layer& l) { return l.name == name; });
    return found == layers.end() ? nullptr : &*found;
}

[[noreturn]] void refuseLayer(const std::string& name, const std::vector<Layer>& known, ExitCode code,
                              const char* image)
{
    throw Error(code,
                "--layer " + clampText(name) + ": " + image + " has no such layer" + nearestLayerText(name, known));
}

/// The layer of this name in `ofA`. Throws Error(Usage) where no image has it, and Error(File) where one has it.
Layer requireLayer(const std::vector<Layer>& ofA, const std::vector<Layer>& ofB, const std::string& name)
{
    const Layer *const a = findLayer(ofA, name), *const b = findLayer(ofB, name);
    if (!a && !b) refuseLayer(name, ofA, ExitCode::Usage, "the picture");
    if (!a) refuseLayer(name, ofA, ExitCode::File, "the first picture");
    if (!b) refuseLayer(name, ofB, ExitCode::File, "the second picture");
    if (a->channels != b->channels)
        throw Error(ExitCode::File, "the layer \"" + clampText(name) + "\" has other channels in A than in B");
    return *a;
}

struct ValueText {
    std::string operator()(int value) const { return std::to_string(value); }
    std::string operator()(float value) const
    {
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
        return text;
    }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(const Matrix4f& value) const
    {
        std::string text;
        for (const float number : value) text += (text.empty() ? "" : " ") + (*this)(number);
        return text;
    }
};

std::vector<MetadataDifference> metadataDifferences(const Metadata& a, const Metadata& b)
{
    const auto textOf = [](const Metadata& metadata, const std::string& key) {
        const auto entry = metadata.find(key);
        return entry == metadata.end() ? std::string() : std::visit(ValueText{}, entry->second);
    };
    Metadata keys = a;
    keys.insert(b.begin(), b.end());
    std::vector<MetadataDifference> differences;
    for (const auto& [key, value] : keys) {
        if (key == sceneAttribute) continue;
        MetadataDifference difference{key, textOf(a, key), textOf(b, key)};
        if (difference.a != difference.b) differences.push_back(std::move(difference));
    }
    return differences;
}

/// The metrics of the layers that both images have, with the same channels; `first` is done already.
void addOtherLayers(Comparison& result, const Image& a, const Image& b, const std::string& first,
                    const PixelWindow& region, double peak)
{
    const std::vector<Layer> ofA = layersOf(a), ofB = layersOf(b);
    const auto isIn = [](const std::vector<Layer>& layers, const Layer& layer) {
        const Layer* const same = findLayer(layers, layer.name);
        return same && same->channels == layer.channels;
    };
    for (const Layer& layer : ofA) {
        if (!isIn(ofB, layer)) {
            result.only_a.push_back(layer.name);
        } else if (layer.name != first) {
            result.layers.push_back(layerMetrics(a, b, layer, region, peak));
        }
    }
    for (const Layer& layer : ofB) {
        if (!isIn(ofA, layer)) result.only_b.push_back(layer.name);
    }
}

RgbPlanes exposed(RgbPlanes planes, double stops)
{
    const float gain = static_cast<float>(std::exp2(stops));
    for (PixelPlane& plane : planes) {
        for (float& value : plane.values) value *= gain;
    }
    return planes;
}

void addFlip(Comparison& result, const RgbPlanes& a, const RgbPlanes& b, const PixelWindow& region,
             const CompareSettings& settings)
{
    const double ppd = settings.pixels_per_degree;
    if (settings.is_low_range) {
        result.exposures = {settings.exposure, settings.exposure, 1};
        result.flip = flipLdr(exposed(a, settings.exposure), exposed(b, settings.exposure), ppd);
    } else {
        result.exposures = settings.exposures.value_or(flipExposures(a));
        result.flip = flipHdr(a, b, result.exposures, ppd);
    }
    float greatest = 0;
    for (int y = region.y; y < region.y + region.height; ++y) {
        greatest = std::max(
            greatest, *std::max_element(result.flip.row(y) + region.x, result.flip.row(y) + region.x + region.width));
    }
    result.flip_mean = regionMean(result.flip, region);
    result.flip_max = static_cast<double>(greatest);
}

}  // namespace

bool Comparison::isSame() const
{
    return only_a.empty() && only_b.empty() &&
           std::all_of(layers.begin(), layers.end(), [](const LayerMetrics& layer) { return layer.isSame(); });
}

Comparison compareImages(const Image& a, const Image& b, const CompareSettings& settings)
{
    requireSameWindow(a, b);
    const std::string name = settings.layer.empty() ? "rgb" : settings.layer;
    const Layer layer = requireLayer(layersOf(a), layersOf(b), name);
    const PixelWindow whole{0, 0, a.width, a.height};
    const PixelWindow region = settings.region ? regionWithin(a, *settings.region) : whole;

    Comparison result;
    result.layers.push_back(layerMetrics(a, b, layer, region, settings.peak));
    if (settings.layer.empty()) addOtherLayers(result, a, b, name, region, settings.peak);
    result.metadata = metadataDifferences(a.metadata, b.metadata);
    result.is_noise_unknown_a = hasUnknownNoise(a);
    result.is_noise_unknown_b = hasUnknownNoise(b);
    result.alpha_errors_a = alphaErrors(a, region);
    result.alpha_errors_b = alphaErrors(b, region);
    if (layer.isColor()) {
        const std::vector<bool> isFinite = finitePixels(a, b, layer);
        const RgbPlanes planesA = rgbPlanes(a, layer, isFinite), planesB = rgbPlanes(b, layer, isFinite);
        addFlip(result, planesA, planesB, region, settings);
        result.ssim = structuralSimilarity(luminanceOf(planesA), luminanceOf(planesB), region, settings.peak);
    }
    if (name == "rgb") result.significance = significance(a, b, region, settings.level);
    return result;
}

}  // namespace firn
