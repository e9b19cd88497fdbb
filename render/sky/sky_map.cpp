#include "render/sky/sky_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "common/error.h"
#include "common/image/luminance.h"

namespace firn {

namespace {

constexpr double mostVariance = 1.5;  // of the soft part, over the square of its mean

/// The solid angle of a pixel, up to a factor.
double weightOfRow(int y, int height) { return std::sin(pi * (y + 0.5) / height); }

/// Width of a table's cell. Tables of 2048 cells are fine enough for a sun of half a degree.
int pixelsPerCell(int width, int height)
{
    constexpr int widest = 2048;
    const int needed = (width + widest - 1) / widest;
    for (int step = needed; step <= 4 * needed; ++step)
        if (width % step == 0 && height % step == 0) return step;
    return 1;
}

}  // namespace

SkyMap::SkyMap(int width, int height, std::vector<Vec3f> pixels, double turn_deg)
    : m_width(width),
      m_height(height),
      m_pixels(std::move(pixels)),
      m_sine(static_cast<float>(std::sin(turn_deg * pi / 180))),
      m_cosine(static_cast<float>(std::cos(turn_deg * pi / 180))),
      m_limit(limitOfSoft()),
      m_softTable(makeTable(SkyPart::Soft)),
      m_brightTable(makeTable(SkyPart::Bright))
{
}

/// By a histogram of the luminance in steps of 1 %, at four points of each pixel, because radiance() interpolates.
float SkyMap::limitOfSoft() const
{
    constexpr int perStop = 64, bins = 64 * perStop;
    constexpr float near = 9.0f / 16, beside = 3.0f / 16, across = 1.0f / 16;
    float most = 0;
    for (const Vec3f& color : m_pixels) most = std::max(most, luminance(color));
    std::vector<double> weight(bins), sum(bins), squares(bins);
    for (int y = 0; y < m_height; ++y) {
        const double w = weightOfRow(y, m_height);
        for (int x = 0; x < m_width; ++x) {
            for (int quarter = 0; quarter < 4; ++quarter) {
                const int i = x + ((quarter & 1) != 0 ? 1 : -1), j = y + ((quarter & 2) != 0 ? 1 : -1);
                const float l =
                    luminance(Vec3f(near * pixel(x, y) + beside * (pixel(i, y) + pixel(x, j)) + across * pixel(i, j)));
                const double below = l > 0 ? -std::log2(static_cast<double>(l / most)) * perStop : bins;
                const auto bin = static_cast<std::size_t>(std::clamp(below, 0.0, bins - 1.0));
                weight[bin] += w;
                sum[bin] += w * static_cast<double>(l);
                squares[bin] += w * static_cast<double>(l) * static_cast<double>(l);
            }
        }
    }
    double all = 0, restSum = 0, restSquares = 0, above = 0;
    for (std::size_t b = 0; b < bins; ++b) all += weight[b], restSum += sum[b], restSquares += squares[b];
    for (std::size_t b = 0; b < bins; ++b) {
        const double limit = static_cast<double>(most) * std::exp2(-static_cast<double>(b) / perStop);
        const double mean = (restSum + above * limit) / all, meanSquare = (restSquares + above * limit * limit) / all;
        if (meanSquare <= (1 + mostVariance) * mean * mean) return static_cast<float>(limit);
        above += weight[b];
        restSum -= sum[b];
        restSquares -= squares[b];
    }
    return 0;
}

/// A cell of brightness 0 must be dark all over, so each pixel counts with its neighbours, among which radiance() is
/// interpolated: in the mean over a pixel, each neighbour along a line has an eighth of the weight.
DirectionTable SkyMap::makeTable(SkyPart part) const
{
    constexpr float nextShare = 0.125f, ownShare = 1 - 2 * nextShare;
    const auto width = static_cast<std::size_t>(m_width);
    const auto valuesOf = [&](int y) {
        std::vector<float> values(width);
        for (int x = 0; x < m_width; ++x) {
            const float l = luminance(pixel(x, y));
            values[static_cast<std::size_t>(x)] =
                part == SkyPart::Bright ? std::max(0.0f, l - m_limit) : std::min(l, m_limit);
        }
        return values;
    };
    const int step = pixelsPerCell(m_width, m_height), columns = m_width / step;
    std::vector<float> brightness(width * static_cast<std::size_t>(m_height) / static_cast<std::size_t>(step * step));
    std::vector<float> before = valuesOf(-1), own = valuesOf(0);
    for (int y = 0; y < m_height; ++y) {
        std::vector<float> after = valuesOf(y + 1), sums(width);
        for (std::size_t x = 0; x < width; ++x) sums[x] = ownShare * own[x] + nextShare * (before[x] + after[x]);
        float* const cells = brightness.data() + static_cast<std::ptrdiff_t>(y / step) * columns;
        for (std::size_t x = 0; x < width; ++x)
            cells[x / static_cast<std::size_t>(step)] +=
                ownShare * sums[x] + nextShare * (sums[(x + width - 1) % width] + sums[(x + 1) % width]);
        before = std::move(own);
        own = std::move(after);
    }
    return {columns, m_height / step, std::move(brightness)};
}

Vec3f SkyMap::pixel(int x, int y) const
{
    const int column = (x + m_width) % m_width, row = std::clamp(y, 0, m_height - 1);
    return m_pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(m_width) +
                    static_cast<std::size_t>(column)];
}

Vec3f SkyMap::toMap(const Vec3f& d) const
{
    return {m_cosine * d.x() - m_sine * d.z(), d.y(), m_sine * d.x() + m_cosine * d.z()};
}

Vec3f SkyMap::fromMap(const Vec3f& d) const
{
    return {m_cosine * d.x() + m_sine * d.z(), d.y(), -m_sine * d.x() + m_cosine * d.z()};
}

/// Interpolated between the middles of pixels.
Vec3f SkyMap::radiance(const Vec3f& direction) const
{
    const Eigen::Vector2f place = placeInPicture(toMap(direction));
    const float x = place.x() * static_cast<float>(m_width) - 0.5f, y = place.y() * static_cast<float>(m_height) - 0.5f;
    const float left = std::floor(x), top = std::floor(y), u = x - left, v = y - top;
    const int i = static_cast<int>(left), j = static_cast<int>(top);
    return (1 - v) * ((1 - u) * pixel(i, j) + u * pixel(i + 1, j)) +
           v * ((1 - u) * pixel(i, j + 1) + u * pixel(i + 1, j + 1));
}

Vec3f SkyMap::radiance(SkyPart part, const Vec3f& direction) const
{
    const Vec3f both = radiance(direction);
    const float l = luminance(both), softShare = l > m_limit ? m_limit / l : 1;
    return (part == SkyPart::Soft ? softShare : 1 - softShare) * both;
}

ChosenDirection SkyMap::sample(SkyPart part, float u, float v) const
{
    const ChosenDirection chosen = table(part).sample(u, v);
    return {fromMap(chosen.direction), chosen.density};
}

std::vector<Vec3f> skyPixels(const Image& image, const std::string& name)
{
    constexpr int widest = 8192;
    const auto fail = [&](const std::string& what) { throw Error(ExitCode::Usage, name + ": " + what); };
    const std::string size = std::to_string(image.width) + " x " + std::to_string(image.height);
    if (image.width != 2 * image.height)
        fail("the picture has " + size + " pixels, expected a picture of all directions, twice as wide as high");
    if (image.width > widest) fail("the picture has " + size + " pixels, expected at most 8192 x 4096; scale it down");
    std::array<const std::vector<float>*, 3> planes{};
    constexpr std::array<const char*, 3> names{"R", "G", "B"};
    for (std::size_t c = 0; c < 3; ++c) {
        const Channel* channel = image.find(names[c]);
        if (channel == nullptr) fail(std::string("the picture has no channel ") + names[c] + ", expected R, G and B");
        planes[c] = &channel->pixels;
    }
    std::vector<Vec3f> pixels(image.pixelCount());
    bool isBlack = true;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const Vec3f color((*planes[0])[i], (*planes[1])[i], (*planes[2])[i]);
        if (!color.allFinite())
            fail("pixel (" + std::to_string(i % static_cast<std::size_t>(image.width)) + ", " +
                 std::to_string(i / static_cast<std::size_t>(image.width)) +
                 ") is not a number or infinite, expected finite numbers");
        pixels[i] = color.cwiseMax(0.0f);
        isBlack = isBlack && pixels[i].isZero(0);
    }
    if (isBlack) fail("all pixels are black, so the picture gives no light");
    return pixels;
}

}  // namespace firn
