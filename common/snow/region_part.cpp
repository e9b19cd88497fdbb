#include "common/snow/region_part.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "common/body/text_input.h"
#include "common/error.h"
#include "common/mix_bits.h"
#include "common/snow/noise.h"

namespace firn {

namespace {

bool hasPatches(const SnowRegion& region) { return region.patches.share < 1; }

/// Noise of three octaves, so that borders are ragged.
double ragged(int seed, const Vec3d& x)
{
    double sum = 0, amount = 1, scale = 1;
    for (int octave = 0; octave < 3; ++octave, amount *= 0.5, scale *= 2.1)
        sum += amount * gradientNoise(seed + 101 * octave, scale * x);
    return sum;
}

/// Values of the noise at many points that are far apart, in order.
std::vector<double> sortedNoise(int seed)
{
    std::vector<double> values;
    constexpr int perAxis = 128;
    for (int i = 0; i < perAxis; ++i)
        for (int j = 0; j < perAxis; ++j) values.push_back(ragged(seed, Vec3d(1.37 * i, 0, 1.37 * j)));
    std::ranges::sort(values);
    return values;
}

GrayPicture readMask(const SnowRegion& region)
{
    const SnowMask& mask = region.mask;
    const std::string source = fileSource("mask of snow region", region.name, mask.file_place, mask.file);
    if (!isGrayPicture(mask.file))
        throw Error(ExitCode::Usage, source + ": found the extension \"" +
                                         clampText(mask.file.extension().string(), 20) + "\"; expected .png or .exr");
    GrayPicture picture = readGrayPicture(mask.file, {"Y", "mask", "R"}, source);
    const Vec3d size = region.max - region.min;
    const double expected = picture.width * size.z() / size.x();
    if (std::abs(picture.height - expected) > std::max(1.0, 0.02 * expected)) {
        char text[200];
        std::snprintf(
            text, sizeof text,
            ": found %d x %d pixels, but the region measures %.3g m along x and %.3g m along z; expected %d x "
            "%.0f pixels",
            picture.width, picture.height, size.x(), size.z(), picture.width, expected);
        throw Error(ExitCode::Usage, source + text);
    }
    for (float& value : picture.values) {
        value = std::clamp(value, 0.0f, 1.0f);
        if (mask.invert) value = 1 - value;
    }
    if (std::ranges::all_of(picture.values, [](float value) { return value == 0; }))
        throw Error(ExitCode::Usage, source + ": all pixels are " + (mask.invert ? "white" : "black") +
                                         (mask.invert ? " and inverted" : "") + "; the region would have no snow");
    return picture;
}

/// A number in [0, 1) that depends on every bit of a point.
double chanceAt(const Vec3d& x)
{
    std::uint64_t bits = goldenStep;
    for (int a = 0; a < 3; ++a) bits = mixBits(bits ^ std::bit_cast<std::uint64_t>(x[a]));
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace

bool isPart(const SnowRegion& region)
{
    return region.top_only_m > 0 || !region.mask.file.empty() || hasPatches(region);
}

RegionPart::RegionPart(const SnowRegion& spec) : m_spec(spec)
{
    if (!spec.mask.file.empty()) m_mask = readMask(spec);
    if (!hasPatches(spec)) return;
    const std::vector<double> values = sortedNoise(spec.patches.seed);
    const auto valueAt = [&](double share) {
        const auto index = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size()));
        return values[std::min(index, values.size() - 1)];
    };
    m_border = valueAt(1 - spec.patches.share);
    m_blur = spec.patches.softness * (values.back() - values.front()) / 2;
}

bool RegionPart::contains(const Vec3d& x, double depth_m) const
{
    if (m_spec.top_only_m > 0 && depth_m > m_spec.top_only_m) return false;
    const double share = this->share(x);
    return share >= 1 || (share > 0 && chanceAt(x) < share);
}

double RegionPart::share(const Vec3d& x) const
{
    double share = 1;
    if (m_mask) share *= maskAt(x);
    if (hasPatches(m_spec)) share *= patchesAt(x);
    return share;
}

double RegionPart::maskAt(const Vec3d& x) const
{
    // Bilinear between the centres of pixels.
    const auto along = [](double at, double low, double high, int pixels) {
        return std::clamp((at - low) / (high - low) * pixels - 0.5, 0.0, pixels - 1.0);
    };
    const GrayPicture& mask = *m_mask;
    const double column = along(x.x(), m_spec.min.x(), m_spec.max.x(), mask.width);
    const double row = along(x.z(), m_spec.min.z(), m_spec.max.z(), mask.height);
    const int c = std::min(static_cast<int>(column), mask.width - 2);
    const int r = std::min(static_cast<int>(row), mask.height - 2);
    const double right = column - c, down = row - r;
    const auto value = [&](int dc, int dr) {
        return static_cast<double>(mask.values[static_cast<std::size_t>(mask.width) * static_cast<std::size_t>(r + dr) +
                                               static_cast<std::size_t>(c + dc)]);
    };
    return (1 - down) * ((1 - right) * value(0, 0) + right * value(1, 0)) +
           down * ((1 - right) * value(0, 1) + right * value(1, 1));
}

double RegionPart::noiseAt(const Vec3d& x) const
{
    const bool isUpright = m_spec.shape == SnowShape::Layer || m_spec.shape == SnowShape::Box;
    return ragged(m_spec.patches.seed, Vec3d(x.x(), isUpright ? 0 : x.y(), x.z()) / m_spec.patches.size_m);
}

double RegionPart::patchesAt(const Vec3d& x) const
{
    const double above = noiseAt(x) - m_border;
    return m_blur == 0 ? (above >= 0 ? 1.0 : 0.0) : std::clamp(0.5 + above / (2 * m_blur), 0.0, 1.0);
}

}  // namespace firn
