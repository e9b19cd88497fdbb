#pragma once
// Which differences of two renders are larger than their noise, which both report in their stderr layers, explains.

#include <optional>
#include <string>

#include "common/compare/layers.h"

namespace firn {

struct Significance {
    double level = 0;
    std::size_t pixels = 0;  // that were tested
    double share_below_level =
        0;  // of these, with a p-value below the level; about the level if all differences are noise
    double share_significant = 0;  // of these, significant by Benjamini and Hochberg
    double least_significant = 0;  // least deviation of a significant pixel; infinite if there is none
    double mean_deviations = 0;    // |difference of the means of luminance| in its standard errors
    PixelPlane deviations;         // per pixel: the normal deviate of that p-value; 0 where not tested
};

/// Tests a = b in each pixel of the region for R, G and B (stderr.R, stderr.G, stderr.B; the three p-values are
/// combined by Bonferroni), by Welch's test: t = |a - b| / sqrt(se_a² + se_b²), with the degrees of freedom of
/// the samples layers if both images have them. The variance of a pixel is the larger of its own and the mean of its 3
/// x 3 neighbours, because few samples at an edge may agree by chance, plus the variance of rounding to half.
/// Significance controls the false discovery rate at `level` (Benjamini and Hochberg 1995): two renders of one scene
/// with different seeds have no significant pixel, with a probability of 1 - `level`. Empty when an image has no
/// standard errors, or none that are known (hasUnknownNoise).
std::optional<Significance> significance(const Image& a, const Image& b, const PixelWindow& region,
                                         double level = 0.001);

/// Whether every pixel of the image has fewer than two paths, so that its noise is unknown.
bool hasUnknownNoise(const Image& image);

/// The channels that significance() needs and the image does not have, for messages; empty if there are all.
std::string missingStandardErrors(const Image& image);

}  // namespace firn
