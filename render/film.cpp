#include "render/film.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>

#include "common/image/luminance.h"

namespace firn {

namespace {

void accumulate(std::array<float, 3>& sum, const Vec3f& value)
{
    for (std::size_t c = 0; c < 3; ++c) sum[c] += value[static_cast<Eigen::Index>(c)];
}

float ratio(float sum, std::uint32_t count) { return count ? sum / static_cast<float>(count) : 0; }

}  // namespace

Film::Film(const PixelWindow& window, int displayWidth, int displayHeight)
    : m_window(window),
      m_displayWidth(displayWidth),
      m_displayHeight(displayHeight),
      m_pixels(static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height))
{
}

Film::Pixel& Film::at(int x, int y)
{
    assert(x >= m_window.x && x < m_window.x + m_window.width && y >= m_window.y && y < m_window.y + m_window.height);
    return m_pixels[static_cast<std::size_t>(y - m_window.y) * static_cast<std::size_t>(m_window.width) +
                    static_cast<std::size_t>(x - m_window.x)];
}

void Film::add(int x, int y, const PathResult& sample, float depth_m)
{
    Pixel& pixel = at(x, y);
    const Vec3d rgb = sample.radiance.cast<double>();
    const double luminance = firn::luminance(rgb.x(), rgb.y(), rgb.z());
    const std::array<double, 4> values = {rgb.x(), rgb.y(), rgb.z(), luminance};
    for (std::size_t c = 0; c < 4; ++c) {
        pixel.sum[c] += values[c];
        pixel.squares[c] += values[c] * values[c];
    }
    if (pixel.samples % 2 == 0) {
        for (std::size_t c = 0; c < 3; ++c) pixel.half[c] += values[c];
    }
    accumulate(pixel.direct, sample.direct);
    accumulate(pixel.indirect, sample.indirect);
    pixel.alpha += sample.alpha;
    ++pixel.samples;
    if (sample.alpha > 0) {
        accumulate(pixel.albedo, sample.albedo);
        accumulate(pixel.normal, sample.normal);
        accumulate(pixel.position, sample.position);
        pixel.depth += depth_m;
        ++pixel.hits;
    }
}

void Film::addSeen(int x, int y, const SeenSurface& seen)
{
    Pixel& pixel = at(x, y);
    accumulate(pixel.seen_albedo, seen.albedo);
    accumulate(pixel.seen_normal, seen.normal);
    ++pixel.seen;
}

double Film::standardError(const Pixel& pixel, std::size_t channel)
{
    const double n = pixel.samples;
    if (n < 2) return std::numeric_limits<double>::infinity();
    const double mean = pixel.sum[channel] / n;
    const double variance = std::max(0.0, pixel.squares[channel] / n - mean * mean) * n / (n - 1);
    return std::sqrt(variance / n);
}

double Film::noise() const
{
    double brightness = 0;
    for (const Pixel& pixel : m_pixels) brightness += pixel.sum[3] / std::max(1u, pixel.samples);
    const double floor = 0.01 * brightness / static_cast<double>(m_pixels.size());
    double sum = 0;
    for (const Pixel& pixel : m_pixels) {
        const double error = standardError(pixel, 3);
        if (error > 0) sum += error / (pixel.sum[3] / pixel.samples + floor);
    }
    return sum / static_cast<double>(m_pixels.size());
}

Image Film::image() const
{
    Image image(m_window.width, m_window.height);
    image.origin_x = m_window.x;
    image.origin_y = m_window.y;
    image.display_width = m_displayWidth;
    image.display_height = m_displayHeight;

    const auto fill = [&](const std::string& name, bool full, auto valueOf) {
        std::vector<float>& pixels = image.add(name, full).pixels;
        std::transform(m_pixels.begin(), m_pixels.end(), pixels.begin(), valueOf);
    };
    const std::array<std::string, 3> rgb = {"R", "G", "B"}, xyz = {"X", "Y", "Z"};
    for (std::size_t c = 0; c < 3; ++c) {
        fill(rgb[c], false, [c](const Pixel& p) { return static_cast<float>(p.sum[c] / std::max(1u, p.samples)); });
    }
    fill("A", false, [](const Pixel& p) { return ratio(p.alpha, p.samples); });
    fill("depth.Z", true, [](const Pixel& p) { return ratio(p.depth, p.hits); });
    fill("samples", true, [](const Pixel& p) { return static_cast<float>(p.samples); });
    fill("stderr.Y", false, [](const Pixel& p) { return p.samples < 2 ? 0 : static_cast<float>(standardError(p, 3)); });
    for (std::size_t c = 0; c < 3; ++c) {
        fill("stderr." + rgb[c], false,
             [c](const Pixel& p) { return p.samples < 2 ? 0 : static_cast<float>(standardError(p, c)); });
        fill("direct." + rgb[c], false, [c](const Pixel& p) { return ratio(p.direct[c], p.samples); });
        fill("indirect." + rgb[c], false, [c](const Pixel& p) { return ratio(p.indirect[c], p.samples); });
        fill("albedo." + rgb[c], false, [c](const Pixel& p) { return ratio(p.albedo[c], p.hits); });
        fill("N." + xyz[c], false, [c](const Pixel& p) { return ratio(p.normal[c], p.hits); });
        fill("P." + xyz[c], true, [c](const Pixel& p) { return ratio(p.position[c], p.hits); });
        fill("seen.albedo." + rgb[c], false, [c](const Pixel& p) { return ratio(p.seen_albedo[c], p.seen); });
        fill("seen.N." + xyz[c], false, [c](const Pixel& p) { return ratio(p.seen_normal[c], p.seen); });
    }
    return image;
}

Planes Film::half() const
{
    Planes result;
    for (std::size_t c = 0; c < 3; ++c) {
        result[c].resize(m_pixels.size());
        std::transform(m_pixels.begin(), m_pixels.end(), result[c].begin(), [c](const Pixel& p) {
            return static_cast<float>(p.half[c] / std::max(1u, (p.samples + 1) / 2));
        });
    }
    return result;
}

}  // namespace firn
