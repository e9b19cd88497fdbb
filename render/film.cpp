#include "render/film.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>

#include "common/image/luminance.h"
#include "render/radiance.h"
#include "render/seen_surface.h"

namespace firn {

namespace {

constexpr double lengthUnit = 0x1p-24;

std::int64_t lengthUnits(float value)
{
    constexpr double greatest = 0x1p22;  // 2^17 of these can be summed up
    return std::llrint(std::clamp(static_cast<double>(value), -greatest, greatest) / lengthUnit);
}

void accumulate(std::array<std::int64_t, 3>& sum, const Vec3f& value)
{
    for (std::size_t c = 0; c < 3; ++c) sum[c] += lengthUnits(value[static_cast<Eigen::Index>(c)]);
}

template <class Sum>
void accumulate(std::array<Sum, 3>& sum, const Vec3f& value)
{
    for (std::size_t c = 0; c < 3; ++c) sum[c].add(static_cast<double>(value[static_cast<Eigen::Index>(c)]));
}

template <class Sum, std::size_t size>
void accumulate(std::array<Sum, size>& sum, const std::array<Sum, size>& other)
{
    for (std::size_t c = 0; c < size; ++c) {
        if constexpr (std::is_integral_v<Sum>) {
            sum[c] += other[c];
        } else {
            sum[c].add(other[c]);
        }
    }
}

template <class Sum>
float mean(const Sum& sum, std::uint32_t count)
{
    return static_cast<float>(sum.value() / std::max(1u, count));
}

float meanLength(std::int64_t sum, std::uint32_t count)
{
    return static_cast<float>(static_cast<double>(sum) * lengthUnit / std::max(1u, count));
}

}  // namespace

PathCounts& PathCounts::operator+=(const PathCounts& other)
{
    paths += other.paths;
    collisions += other.collisions;
    capped += other.capped;
    return *this;
}

Film::Film(const PixelWindow& window, int displayWidth, int displayHeight, FilmLayers layers)
    : m_window(window),
      m_displayWidth(displayWidth),
      m_displayHeight(displayHeight),
      m_pixels(static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height)),
      m_layers(std::move(layers)),
      m_groups(m_pixels.size() * m_layers.light_groups.size()),
      m_shadows(m_layers.has_shadows ? m_pixels.size() : 0)
{
}

std::size_t Film::indexOf(int x, int y) const
{
    assert(x >= m_window.x && x < m_window.x + m_window.width && y >= m_window.y && y < m_window.y + m_window.height);
    return static_cast<std::size_t>(y - m_window.y) * static_cast<std::size_t>(m_window.width) +
           static_cast<std::size_t>(x - m_window.x);
}

void Film::add(int x, int y, int number, const PathResult& sample, float depth_m)
{
    Pixel& pixel = at(x, y);
    const Vec3d rgb = sample.radiance.cast<double>();
    accumulate(pixel.sum, sample.radiance);
    const std::array<double, 4> values = {rgb.x(), rgb.y(), rgb.z(), luminance(rgb.x(), rgb.y(), rgb.z())};
    for (std::size_t c = 0; c < 4; ++c) pixel.squares[c].add(values[c] * values[c]);
    accumulate(pixel.direct, sample.direct);
    accumulate(pixel.indirect, sample.indirect);
    addGroups(x, y, sample.of_groups, &OfGroup::sum);
    if (m_layers.has_shadows) {
        Shadow& shadow = m_shadows[indexOf(x, y)];
        accumulate(shadow.caught, sample.caught);
        accumulate(shadow.unshadowed, sample.unshadowed);
    }
    ++pixel.samples;
    if (number % 2 == 0) {
        accumulate(pixel.half, sample.radiance);
        ++pixel.half_samples;
    }
    if (sample.alpha > 0) {
        accumulate(pixel.albedo, sample.albedo);
        accumulate(pixel.normal, sample.normal);
        accumulate(pixel.position, sample.position);
        pixel.depth += lengthUnits(depth_m);
        ++pixel.hits;
    }
}

void Film::addSeen(int x, int y, const SeenSurface& seen)
{
    Pixel& pixel = at(x, y);
    accumulate(pixel.seen_albedo, seen.albedo);
    accumulate(pixel.seen_normal, seen.normal);
    accumulate(pixel.glints, seen.glints);
    accumulate(pixel.gloss, seen.gloss);
    addGroups(x, y, seen.of_groups, &OfGroup::mirrored);
    pixel.lit += lengthUnits(seen.lit);
    if (seen.matte != 0) pixel.mattes.add(seen.matte);
    ++pixel.seen;
}

void Film::addGroups(int x, int y, const GroupedLight& light, std::array<Light, 3> OfGroup::*to)
{
    const std::span<OfGroup> groups = groupsOf(indexOf(x, y));
    const auto count = std::min(groups.size(), static_cast<std::size_t>(light.cols()));
    for (std::size_t group = 0; group < count; ++group)
        accumulate(groups[group].*to, Vec3f(light.col(static_cast<Eigen::Index>(group))));
}

void Film::add(const Film& part)
{
    assert(part.m_layers == m_layers);
    const PixelWindow& window = part.m_window;
    for (int y = window.y; y < window.y + window.height; ++y) {
        for (int x = window.x; x < window.x + window.width; ++x) {
            Pixel& pixel = at(x, y);
            const Pixel& other = part.at(x, y);
            accumulate(pixel.sum, other.sum);
            accumulate(pixel.half, other.half);
            accumulate(pixel.direct, other.direct);
            accumulate(pixel.indirect, other.indirect);
            accumulate(pixel.squares, other.squares);
            accumulate(pixel.albedo, other.albedo);
            accumulate(pixel.normal, other.normal);
            accumulate(pixel.position, other.position);
            accumulate(pixel.seen_albedo, other.seen_albedo);
            accumulate(pixel.seen_normal, other.seen_normal);
            accumulate(pixel.glints, other.glints);
            accumulate(pixel.gloss, other.gloss);
            pixel.depth += other.depth;
            pixel.lit += other.lit;
            pixel.mattes.add(other.mattes);
            pixel.hits += other.hits;
            pixel.samples += other.samples;
            pixel.half_samples += other.half_samples;
            pixel.seen += other.seen;
            const std::span<OfGroup> groups = groupsOf(indexOf(x, y));
            const std::span<const OfGroup> others = part.groupsOf(part.indexOf(x, y));
            for (std::size_t group = 0; group < groups.size(); ++group) {
                accumulate(groups[group].sum, others[group].sum);
                accumulate(groups[group].mirrored, others[group].mirrored);
            }
            if (!m_layers.has_shadows) continue;
            Shadow& shadow = m_shadows[indexOf(x, y)];
            const Shadow& otherShadow = part.m_shadows[part.indexOf(x, y)];
            accumulate(shadow.caught, otherShadow.caught);
            accumulate(shadow.unshadowed, otherShadow.unshadowed);
        }
    }
    counts += part.counts;
}

std::pair<int, int> Film::sampleCounts() const
{
    const auto [least, most] = std::minmax_element(
        m_pixels.begin(), m_pixels.end(), [](const Pixel& a, const Pixel& b) { return a.samples < b.samples; });
    return {static_cast<int>(least->samples), static_cast<int>(most->samples)};
}

bool Film::hasLight(std::span<const Pixel> pixels, std::array<Light, 3> Pixel::*layer)
{
    return std::any_of(pixels.begin(), pixels.end(), [&](const Pixel& pixel) {
        const std::array<Light, 3>& sum = pixel.*layer;
        return sum[0].value() + sum[1].value() + sum[2].value() > 0;
    });
}

double Film::luminanceOf(const Pixel& pixel)
{
    const std::uint32_t n = std::max(1u, pixel.samples);
    return luminance(pixel.sum[0].value(), pixel.sum[1].value(), pixel.sum[2].value()) / n;
}

double Film::standardError(const Pixel& pixel, std::size_t channel)
{
    const double n = pixel.samples;
    if (n < 2) return std::numeric_limits<double>::infinity();
    const double mean = channel == 3 ? luminanceOf(pixel) : pixel.sum[channel].value() / n;
    const double variance = std::max(0.0, pixel.squares[channel].value() / n - mean * mean) * n / (n - 1);
    return std::sqrt(variance / n);
}

/// A pixel that is not a number has no error: more samples would not help.
double Film::relativeError(const Pixel& pixel, double floor)
{
    const double error = standardError(pixel, 3), brightness = luminanceOf(pixel);
    return error > 0 && !std::isnan(brightness) ? error / (brightness + floor) : 0;
}

double Film::relativeError(int x, int y, double floor) const { return relativeError(at(x, y), floor); }

double Film::luminanceFloor() const
{
    double sum = 0;
    for (const Pixel& pixel : m_pixels) {
        const double brightness = luminanceOf(pixel);
        if (!std::isnan(brightness)) sum += brightness;
    }
    return 0.01 * sum / static_cast<double>(m_pixels.size());
}

double Film::noise() const
{
    const double floor = luminanceFloor();
    double sum = 0;
    for (const Pixel& pixel : m_pixels) sum += relativeError(pixel, floor);
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
    const auto errorOf = [](std::size_t channel) {
        return [channel](const Pixel& p) { return p.samples < 2 ? 0 : static_cast<float>(standardError(p, channel)); };
    };
    const bool hasSeen = std::any_of(m_pixels.begin(), m_pixels.end(), [](const Pixel& p) { return p.seen > 0; });
    const bool hasGlints = hasLight(m_pixels, &Pixel::glints), hasGloss = hasLight(m_pixels, &Pixel::gloss);
    const bool isLit = std::any_of(m_pixels.begin(), m_pixels.end(), [](const Pixel& p) { return p.lit > 0; });
    const std::array<std::string, 3> rgb = {"R", "G", "B"}, xyz = {"X", "Y", "Z"};
    for (std::size_t c = 0; c < 3; ++c) {
        fill(rgb[c], false, [c](const Pixel& p) {
            return mean(p.sum[c], p.samples) + mean(p.glints[c], p.seen) + mean(p.gloss[c], p.seen);
        });
    }
    fill("A", false,
         [](const Pixel& p) { return static_cast<float>(p.hits) / static_cast<float>(std::max(1u, p.samples)); });
    const auto skyOf = [](const Pixel& p, std::size_t c) {
        constexpr double rounding = 1e-5;  // of `indirect`, which is a difference of floats
        const double sum = p.sum[c].value(), sky = sum - p.direct[c].value() - p.indirect[c].value();
        return p.hits < p.samples && sky > rounding * sum ? sky / p.samples : 0.0;
    };
    const bool hasSky = std::ranges::any_of(
        m_pixels, [&](const Pixel& p) { return skyOf(p, 0) > 0 || skyOf(p, 1) > 0 || skyOf(p, 2) > 0; });
    fill("depth.Z", true, [](const Pixel& p) { return meanLength(p.depth, p.hits); });
    fill("samples", true, [](const Pixel& p) { return static_cast<float>(p.samples); });
    fill("stderr.Y", false, errorOf(3));
    if (isLit) fill("seen.lit.Y", false, [](const Pixel& p) { return meanLength(p.lit, p.seen); });
    for (std::size_t c = 0; c < 3; ++c) {
        fill("stderr." + rgb[c], false, errorOf(c));
        fill("direct." + rgb[c], false, [c](const Pixel& p) { return mean(p.direct[c], p.samples); });
        fill("indirect." + rgb[c], false, [c](const Pixel& p) { return mean(p.indirect[c], p.samples); });
        fill("albedo." + rgb[c], false, [c](const Pixel& p) { return meanLength(p.albedo[c], p.hits); });
        fill("N." + xyz[c], false, [c](const Pixel& p) { return meanLength(p.normal[c], p.hits); });
        fill("P." + xyz[c], true, [c](const Pixel& p) { return meanLength(p.position[c], p.hits); });
        if (hasSky) fill("sky." + rgb[c], false, [&](const Pixel& p) { return static_cast<float>(skyOf(p, c)); });
        if (hasGlints) fill("glints." + rgb[c], false, [c](const Pixel& p) { return mean(p.glints[c], p.seen); });
        if (hasGloss) fill("gloss." + rgb[c], false, [c](const Pixel& p) { return mean(p.gloss[c], p.seen); });
        if (!hasSeen) continue;
        fill("seen.albedo." + rgb[c], false, [c](const Pixel& p) { return meanLength(p.seen_albedo[c], p.seen); });
        fill("seen.N." + xyz[c], false, [c](const Pixel& p) { return meanLength(p.seen_normal[c], p.seen); });
    }
    addGroupLayers(image);
    if (m_layers.has_shadows) addShadowLayer(image);
    return image;
}

void Film::addShadowLayer(Image& image) const
{
    constexpr std::array<const char*, 3> names = {"shadow.R", "shadow.G", "shadow.B"};
    const double most = 4;  // beside a lamp's beam the ratio grows without bound, and would glare in the whole
    for (std::size_t c = 0; c < 3; ++c) {
        std::vector<float>& pixels = image.add(names[c], false).pixels;
        std::ranges::transform(m_shadows, pixels.begin(), [c, most](const Shadow& shadow) {
            const double without = shadow.unshadowed[c].value();
            return without > 0 ? static_cast<float>(std::min(most, shadow.caught[c].value() / without)) : 1;
        });
    }
}

void Film::addGroupLayers(Image& image) const
{
    for (std::size_t group = 0; group < m_layers.light_groups.size(); ++group) {
        std::array<std::vector<float>, 3> light;
        bool isLit = false;
        for (std::size_t c = 0; c < 3; ++c) {
            light[c].resize(m_pixels.size());
            for (std::size_t i = 0; i < m_pixels.size(); ++i) {
                const OfGroup& of = groupsOf(i)[group];
                light[c][i] = mean(of.sum[c], m_pixels[i].samples) + mean(of.mirrored[c], m_pixels[i].seen);
                isLit |= light[c][i] != 0;
            }
        }
        constexpr std::array<const char*, 3> names = {".R", ".G", ".B"};
        const bool isRest = m_layers.light_groups[group] == restOfLights;
        for (std::size_t c = 0; (isLit || !isRest) && c < 3; ++c)
            image.add("light." + m_layers.light_groups[group] + names[c], false).pixels = std::move(light[c]);
    }
}

void Film::addMattes(Image& image) const
{
    std::vector<std::vector<MatteCounts::Count>> ranked;
    ranked.reserve(m_pixels.size());
    for (const Pixel& pixel : m_pixels) ranked.push_back(pixel.mattes.ranked());
    const auto longest = std::ranges::max_element(ranked, {}, [](const auto& ranks) { return ranks.size(); });
    const std::size_t layers = longest == ranked.end() ? 0 : std::max<std::size_t>(1, (longest->size() + 1) / 2);
    for (std::size_t n = 0; n < 2 * layers; ++n) {
        const std::string layer = "CryptoObject0" + std::to_string(n / 2);
        std::vector<float> ids(m_pixels.size()), shares(m_pixels.size());
        for (std::size_t i = 0; i < m_pixels.size(); ++i) {
            if (n >= ranked[i].size()) continue;
            ids[i] = std::bit_cast<float>(ranked[i][n].id);
            shares[i] = static_cast<float>(ranked[i][n].samples) / static_cast<float>(m_pixels[i].seen);
        }
        image.add(layer + (n % 2 == 0 ? ".R" : ".B"), true).pixels = std::move(ids);
        image.add(layer + (n % 2 == 0 ? ".G" : ".A"), true).pixels = std::move(shares);
    }
}

HalfPicture Film::half() const
{
    HalfPicture result;
    const auto fill = [&](std::vector<float>& values, auto valueOf) {
        values.resize(m_pixels.size());
        std::transform(m_pixels.begin(), m_pixels.end(), values.begin(), valueOf);
    };
    for (std::size_t c = 0; c < 3; ++c) {
        fill(result.colour[c], [c](const Pixel& p) { return mean(p.half[c], p.half_samples); });
    }
    fill(result.samples, [](const Pixel& p) { return static_cast<float>(p.half_samples); });
    return result;
}

}  // namespace firn
