#pragma once
// Two images compared by every measure.

#include <optional>
#include <string>
#include <vector>

#include "common/compare/flip.h"
#include "common/compare/metrics.h"
#include "common/compare/significance.h"

namespace firn {

struct CompareSettings {
    std::string layer;                   // empty: rgb for FLIP and thresholds, and every layer's plain metrics
    std::optional<PixelWindow> region;   // of the whole picture
    bool is_low_range = false;           // LDR-FLIP of the images at `exposure`, else HDR-FLIP
    double exposure = 0;                 // stops
    std::optional<Exposures> exposures;  // of HDR-FLIP; else from the reference, a
    double pixels_per_degree = defaultPixelsPerDegree;
    double peak = 1;       // of PSNR and the structural similarity
    double level = 0.001;  // of the significance test
};

struct MetadataDifference {
    std::string key, a, b;  // "" where there is no such key
};

struct Comparison {
    std::vector<LayerMetrics> layers;          // the layer looked at first, then what else both have
    std::vector<std::string> only_a, only_b;   // layers
    std::vector<MetadataDifference> metadata;  // but for the scene
    std::size_t alpha_errors_a = 0, alpha_errors_b = 0;
    // Of a colour layer:
    std::optional<double> flip_mean, flip_max;
    Exposures exposures;
    Plane flip;
    std::optional<double> ssim;
    std::optional<Significance> significance;  // of rgb, where both images have standard errors

    const LayerMetrics& main() const { return layers.front(); }
    /// The values of all compared layers, and which there are.
    bool isSame() const;
};

/// `a` is the reference. FLIP and SSIM see the whole images, and are averaged over the region. Throws Error(File) for
/// images of different windows or without the layer, Error(Usage) for a region outside.
Comparison compareImages(const Image& a, const Image& b, const CompareSettings& settings);

}  // namespace firn
