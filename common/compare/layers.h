#pragma once
// Images as comparisons take them: from files, by layers, within a region.

#include <filesystem>
#include <string>
#include <vector>

#include "common/compare/flip.h"
#include "common/image/image.h"
#include "common/image/pixel_window.h"

namespace firn {

/// Channels that share what stands before the last dot: "direct" has direct.R, direct.G, direct.B. R, G and B alone
/// make "rgb"; a channel without a dot is its own layer.
struct Layer {
    std::string name;
    std::vector<std::string> channels;  // R, G, B first and in that order, then as in the image

    /// Starts with the colours R, G and B.
    bool isColor() const;
};

/// "rgb" first, then in the order of the image.
std::vector<Layer> layersOf(const Image& image);

/// The R, G and B of a colour layer. Pixels that `isCompared` (one per pixel) leaves out are black.
RgbPlanes rgbPlanes(const Image& image, const Layer& layer, const std::vector<bool>& isCompared);

/// An EXR as it is, or a PNG decoded to linear values. Throws Error(File).
Image readPicture(const std::filesystem::path& path);

/// Part of the whole picture: "x,y,width,height". Throws Error(Usage).
PixelWindow parseRegion(const std::string& text);

/// `region` in pixels of the image's own window. Throws Error(Usage) when it does not lie within.
PixelWindow regionWithin(const Image& image, const PixelWindow& region);

}  // namespace firn
