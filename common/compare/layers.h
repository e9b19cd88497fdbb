#pragma once
// What comparisons read: files, their layers, regions of images.

#include <filesystem>
#include <string>
#include <vector>

#include "common/compare/flip.h"
#include "common/image/image.h"
#include "common/image/pixel_window.h"

namespace firn {

/// Channels with the same name before the last dot: "direct" has direct.R, direct.G, direct.B. R, G and B without a
/// prefix are the layer "rgb"; any other channel without a dot is a layer of its own.
struct Layer {
    std::string name;
    std::vector<std::string> channels;  // R, G, B first and in that order, then as in the image

    /// Whether its first channels are R, G and B.
    bool isColor() const;
};

/// "rgb" first, then in the order of the image. A Cryptomatte is no layer: its numbers cannot be compared or shown.
std::vector<Layer> layersOf(const Image& image);

/// The R, G and B of a colour layer. Pixels that `isCompared` (one per pixel) leaves out are black.
RgbPlanes rgbPlanes(const Image& image, const Layer& layer, const std::vector<bool>& isCompared);

/// What to say after the name of a layer that is none of `known`: the nearest of them, or all.
std::string nearestLayerText(const std::string& name, const std::vector<Layer>& known);

/// Reads an EXR, or a PNG, which is decoded to linear values. Throws Error(File).
Image readPicture(const std::filesystem::path& path);

/// Part of the whole picture: "x,y,width,height". Throws Error(Usage).
PixelWindow parseRegion(const std::string& text);

/// `region` relative to the image's own window. Throws Error(Usage) when it is not within the image.
PixelWindow regionWithin(const Image& image, const PixelWindow& region);

}  // namespace firn
