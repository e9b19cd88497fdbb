#pragma once
// Which differences of two renders are beyond the noise that both report in their stderr layers.

#include <optional>
#include <string>

#include "common/compare/layers.h"

namespace firn {

struct Significance {
    double level = 0;
    std::size_t pixels = 0;        // that could be tested
    double share_below_level = 0;  // of them, with a p-value below the level; about the level when all is chance
    double share_significant = 0;  // of them, called beyond chance by Benjamini and Hochberg
    double least_significant = 0;  // deviations from which on a pixel is called so; infinite when none is
    double mean_deviations = 0;    // |difference of the means of luminance| in its standard errors
    Plane deviations;              // per pixel: the normal deviate of that p-value; 0 where not tested
};

/// Tests a = b in each pixel of the region for R, G and B (stderr.R, stderr.G, stderr.B; the three p-values are
/// combined by Bonferroni), in the manner of Welch: t = |a - b| / sqrt(se_a² + se_b²), with the degrees of freedom of
/// the samples layers where both images have it. Per pixel, the variance is the larger of its own and the mean of its 3
/// x 3 neighbours, as few samples of an edge may agree by chance, plus that of rounding to half. The share called
/// beyond chance holds the false discovery rate at `level` (Benjamini and Hochberg 1995): two renders of one scene with
/// different seeds have none, but for a chance of `level`. Nothing when an image lacks a standard error.
std::optional<Significance> significance(const Image& a, const Image& b, const PixelWindow& region,
                                         double level = 0.001);

/// The channels whose absence makes significance() give nothing, for messages; empty when they are all there.
std::string missingStandardErrors(const Image& image);

}  // namespace firn
