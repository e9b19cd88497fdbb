#pragma once
// All measures of the difference between two images.

#include <optional>
#include <string>
#include <vector>

#include "common/compare/flip.h"
#include "common/compare/metrics.h"
#include "common/compare/significance.h"

namespace firn {

struct CompareSettings {
    std::string layer;                   // empty: rgb for FLIP and the limits, and all layers for plain metrics
    std::optional<PixelWindow> region;   // of the whole picture
    bool is_low_range = false;           // LDR-FLIP of the images at `exposure`, else HDR-FLIP
    double exposure = 0;                 // stops
    std::optional<Exposures> exposures;  // of HDR-FLIP; default: chosen from the reference, a
    double pixels_per_degree = defaultPixelsPerDegree;
    double peak = 1;       // of PSNR and the structural similarity
    double level = 0.001;  // of the significance test
};

struct MetadataDifference {
    std::string key, a, b;  // "": the image has no such key
};

struct Comparison {
    std::vector<LayerMetrics> layers;          // the chosen layer first, then the others that both images have
    std::vector<std::string> only_a, only_b;   // layers
    std::vector<MetadataDifference> metadata;  // without the scene
    std::size_t alpha_errors_a = 0, alpha_errors_b = 0;
    // Of a colour layer:
    std::optional<double> flip_mean, flip_max;
    Exposures exposures;
    PixelPlane flip;
    std::optional<double> ssim;
    bool is_noise_unknown_a = false, is_noise_unknown_b = false;  // one path per pixel
    std::optional<Significance> significance;  // of rgb, where both images have standard errors that are known

    const LayerMetrics& main() const { return layers.front(); }
    /// Whether both images have the same layers, with the same values.
    bool isSame() const;
};

/// `a` is the reference. FLIP and SSIM are computed from the whole images and averaged over the region. Throws
/// Error(File) when the windows of the images differ or the layer is missing, and Error(Usage) for a region outside of
/// the images.
Comparison compareImages(const Image& a, const Image& b, const CompareSettings& settings);

}  // namespace firn
