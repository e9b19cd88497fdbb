#include "common/compare/layers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/error.h"
#include "common/image/exr.h"
#include "common/image/png.h"
#include "common/image/view.h"
#include "common/io/suggest.h"

namespace firn {

namespace {

const std::array<std::string, 3> rgb = {"R", "G", "B"};

std::string suffix(const std::string& channel) { return channel.substr(channel.rfind('.') + 1); }

std::string layerOf(const std::string& channel)
{
    if (const std::size_t dot = channel.rfind('.'); dot != std::string::npos) return channel.substr(0, dot);
    return std::find(rgb.begin(), rgb.end(), channel) == rgb.end() ? channel : "rgb";
}

std::ptrdiff_t rank(const std::string& channel)
{
    return std::find(rgb.begin(), rgb.end(), suffix(channel)) - rgb.begin();
}

Image linearImage(const Rgb8Image& png)
{
    const std::array<float, 256>& linear = linearOfBytes();
    Image image(png.width, png.height);
    for (std::size_t c = 0; c < 3; ++c) {
        std::vector<float>& pixels = image.add(rgb[c], true).pixels;
        for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = linear[png.pixels[3 * i + c]];
    }
    return image;
}

}  // namespace

bool Layer::isColor() const
{
    return channels.size() >= 3 &&
           std::equal(rgb.begin(), rgb.end(), channels.begin(),
                      [](const std::string& color, const std::string& channel) { return color == suffix(channel); });
}

std::vector<Layer> layersOf(const Image& image)
{
    std::vector<Layer> layers;
    for (const Channel& channel : image.channels) {
        const std::string name = layerOf(channel.name);
        if (name.starts_with("Crypto")) continue;  // numbers of things, not quantities
        auto layer = std::find_if(layers.begin(), layers.end(), [&](const Layer& known) { return known.name == name; });
        if (layer == layers.end()) layer = layers.insert(name == "rgb" ? layers.begin() : layers.end(), {name, {}});
        layer->channels.push_back(channel.name);
    }
    for (Layer& layer : layers) {
        std::stable_sort(layer.channels.begin(), layer.channels.end(),
                         [](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
    }
    return layers;
}

std::string nearestLayerText(const std::string& name, const std::vector<Layer>& known)
{
    std::vector<std::string> names;
    names.reserve(known.size());
    for (const Layer& layer : known) names.push_back(clampText(layer.name, 60));
    return didYouMean(name, {names.begin(), names.end()});
}

RgbPlanes rgbPlanes(const Image& image, const Layer& layer, const std::vector<bool>& isCompared)
{
    RgbPlanes planes;
    for (std::size_t c = 0; c < 3; ++c) {
        const std::vector<float>& pixels = image.at(layer.channels[c]).pixels;
        planes[c] = PixelPlane(image.width, image.height);
        for (std::size_t i = 0; i < pixels.size(); ++i) planes[c].values[i] = isCompared[i] ? pixels[i] : 0;
    }
    return planes;
}

Image readPicture(const std::filesystem::path& path)
{
    if (path.extension() == ".png") return linearImage(decodePng(readFile(path), path.string()));
    return readExr(path);
}

PixelWindow parseRegion(const std::string& text)
{
    int numbers[4] = {};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (int i = 0; i < 4; ++i) {
        const auto [next, error] = std::from_chars(at, end, numbers[i]);
        const bool isLast = i == 3;
        if (error != std::errc() || (isLast ? next != end : next == end || *next != ',')) {
            throw Error(ExitCode::Usage, "--roi \"" + clampText(text) + "\": expected x,y,width,height");
        }
        at = next + !isLast;
    }
    if (numbers[2] < 1 || numbers[3] < 1) {
        throw Error(ExitCode::Usage, "--roi \"" + clampText(text) + "\": width and height must be at least 1");
    }
    return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

PixelWindow regionWithin(const Image& image, const PixelWindow& region)
{
    const std::int64_t x = static_cast<std::int64_t>(region.x) - image.origin_x,
                       y = static_cast<std::int64_t>(region.y) - image.origin_y;
    if (x < 0 || y < 0 || x + region.width > image.width || y + region.height > image.height) {
        throw Error(ExitCode::Usage, "--roi is not within the image, which has " + std::to_string(image.width) + " x " +
                                         std::to_string(image.height) + " pixels from (" +
                                         std::to_string(image.origin_x) + ", " + std::to_string(image.origin_y) + ")");
    }
    return {static_cast<int>(x), static_cast<int>(y), region.width, region.height};
}

}  // namespace firn
