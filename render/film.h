#pragma once
// What the samples of each pixel add up to: means, standard errors of the means, and the layers of the EXR.
// A pixel's samples are added in their order, so the sums do not depend on how pixels are shared among threads.

#include <array>
#include <cstdint>
#include <vector>

#include "common/image/image.h"
#include "common/image/pixel_window.h"
#include "render/radiance.h"

namespace firn {

class Film {
public:
    Film(const PixelWindow& window, int display_width, int display_height);

    const PixelWindow& window() const { return m_window; }

    /// One sample of the pixel (x, y) of the whole picture. `depth_m` is measured along the view axis.
    void add(int x, int y, const PathResult& sample, float depth_m);

    /// Mean over pixels of the standard error of luminance (Rec. 709) over luminance; a floor of 1 % of the picture's
    /// mean luminance keeps dark pixels from ruling. Infinite before each pixel has two samples.
    double noise() const;

    /// Layers: R G B A, depth.Z (m, mean over samples that met something, 0 where none did), stderr.R/G/B/Y,
    /// direct.R/G/B, indirect.R/G/B, albedo.R/G/B, N.X/Y/Z, P.X/Y/Z (world, means likewise), samples.
    Image image() const;

private:
    struct Pixel {
        std::array<double, 4> sum{};  // R, G, B and luminance
        std::array<double, 4> squares{};
        std::array<float, 3> direct{}, indirect{}, albedo{}, normal{}, position{};
        float depth = 0;
        float alpha = 0;
        std::uint32_t hits = 0;
        std::uint32_t samples = 0;
    };

    static double standardError(const Pixel& pixel, std::size_t channel);

    PixelWindow m_window;
    int m_displayWidth, m_displayHeight;
    std::vector<Pixel> m_pixels;
};

}  // namespace firn
