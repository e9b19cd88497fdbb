#pragma once
// The samples of all pixels, summed up: means, standard errors of the means, and the layers of the EXR. The samples of
// a pixel are added in their order, so the sums do not depend on how threads share the pixels.

#include <array>
#include <cstdint>
#include <vector>

#include "common/image/image.h"
#include "common/image/pixel_window.h"
#include "render/radiance.h"
#include "render/seen_surface.h"

namespace firn {

class Film {
public:
    Film(const PixelWindow& window, int displayWidth, int displayHeight);

    const PixelWindow& window() const { return m_window; }

    /// One sample of the pixel (x, y) of the whole picture. `depth_m` is measured along the view axis.
    void add(int x, int y, const PathResult& sample, float depth_m);

    /// What one sample of the pixel sees of surfaces; need not be known of all samples.
    void addSeen(int x, int y, const SeenSurface& seen);

    /// Mean over pixels of the standard error of luminance (Rec. 709) divided by luminance. 1 % of the picture's mean
    /// luminance is added to the divisor, so that dark pixels do not dominate. Infinite until each pixel has two
    /// samples.
    double noise() const;

    /// Layers: R G B A, depth.Z (m, mean over the samples that met something, 0 if none did), stderr.R/G/B/Y,
    /// direct.R/G/B, indirect.R/G/B, albedo.R/G/B, N.X/Y/Z and P.X/Y/Z (world space, also means over the samples that
    /// met something), samples, seen.albedo.R/G/B and seen.N.X/Y/Z (world space; zero where nothing is seen).
    Image image() const;

    /// R, G and B: means over every other sample, beginning with the first.
    Planes half() const;

private:
    struct Pixel {
        std::array<double, 4> sum{};  // R, G, B and luminance
        std::array<double, 4> squares{};
        std::array<double, 3> half{};  // of the samples with even numbers
        std::array<float, 3> direct{}, indirect{}, albedo{}, normal{}, position{}, seen_albedo{}, seen_normal{};
        float depth = 0;
        float alpha = 0;
        std::uint32_t hits = 0;
        std::uint32_t samples = 0;
        std::uint32_t seen = 0;
    };

    Pixel& at(int x, int y);
    static double standardError(const Pixel& pixel, std::size_t channel);

    PixelWindow m_window;
    int m_displayWidth, m_displayHeight;
    std::vector<Pixel> m_pixels;
};

}  // namespace firn
