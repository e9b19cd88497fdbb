#pragma once
// A layer of a picture as 8-bit colours.

#include <optional>
#include <string>
#include <vector>

#include "common/image/image.h"
#include "common/image/png.h"
#include "common/image/view.h"

namespace firn {

/// How radiance is shown, as a picture's metadata say: firn.view and firn.exposure.
struct Tones {
    View view = View::Filmic;
    double exposure = 0;  // stops
};
Tones tonesOf(const Image& image);

struct LayerChoice {
    std::string layer;           // "albedo", or a channel such as "stderr.Y"; empty: "denoised" or else "rgb"
    std::optional<Tones> tones;  // empty: tonesOf(image)
    // Least and greatest value shown. Empty: those of the finite pixels, without 0.5 % of them on either side.
    std::vector<double> range = {};
};

struct LayerView {
    Rgb8Image pixels;
    std::string description;  // "denoised: filmic, exposure 0"
};

/// Colour layers are shown with the tones of the choice, albedo with the sRGB encoding alone, normals as (n + 1) / 2,
/// positions from dark to light, single channels as a heat map from black (least) to pale yellow (greatest).
/// Pixels without a normal and values that are not finite are black. Throws Error(Usage) for a layer that the image
/// does not have, with the nearest of its names, and for tones or a range that the layer has no use for.
LayerView viewLayer(const Image& image, const LayerChoice& choice);

}  // namespace firn
