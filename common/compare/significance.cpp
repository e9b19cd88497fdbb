#include "common/compare/significance.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "common/image/luminance.h"

namespace firn {

namespace {

const char* const colors[3] = {"R", "G", "B"};

/// One channel of one image: values, squared standard errors, samples per pixel.
class MeasuredChannel {
public:
    MeasuredChannel(const Image& image, const std::string& channel)
        : m_image(image),
          m_value(image.at(channel)),
          m_error(image.at("stderr." + channel)),
          m_samples(image.find("samples"))
    {
    }

    double value(int x, int y) const { return static_cast<double>(m_value.pixels[index(x, y)]); }

    /// Fewer than two samples say nothing of their error.
    bool isTested(int x, int y) const
    {
        const std::size_t i = index(x, y);
        return std::isfinite(m_value.pixels[i]) && std::isfinite(m_error.pixels[i]) &&
               (!m_samples || m_samples->pixels[i] >= 2);
    }

    double degreesOfFreedom(int x, int y) const
    {
        return m_samples ? static_cast<double>(m_samples->pixels[index(x, y)]) - 1
                         : std::numeric_limits<double>::infinity();
    }

    double variance(int x, int y) const
    {
        double sum = 0;
        int count = 0;
        for (int v = std::max(0, y - 1); v <= std::min(m_image.height - 1, y + 1); ++v) {
            for (int u = std::max(0, x - 1); u <= std::min(m_image.width - 1, x + 1); ++u) {
                const double error = static_cast<double>(m_error.pixels[index(u, v)]);
                if (!std::isfinite(error)) continue;
                sum += error * error;
                ++count;
            }
        }
        const double own = static_cast<double>(m_error.pixels[index(x, y)]);
        return std::max(own * own, sum / std::max(1, count)) + roundingVariance(x, y);
    }

private:
    std::size_t index(int x, int y) const
    {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(m_image.width) + static_cast<std::size_t>(x);
    }

    /// Of half: 10 bits of fraction, never finer than 2^-24.
    double roundingVariance(int x, int y) const
    {
        if (m_value.full_precision) return 0;
        const double step = std::max(std::exp2(-10) * std::abs(value(x, y)), std::exp2(-24));
        return step * step / 12;
    }

    const Image& m_image;
    const Channel& m_value;
    const Channel& m_error;
    const Channel* m_samples;
};

/// Normal deviate about as improbable as Student's t (Wallace 1959).
double normalDeviate(double t, double degrees)
{
    if (std::isinf(degrees)) return t;
    return (8 * degrees + 1) / (8 * degrees + 3) * std::sqrt(degrees * std::log1p(t * t / degrees));
}

double deviation(const MeasuredChannel& a, const MeasuredChannel& b, int x, int y)
{
    const double difference = std::abs(a.value(x, y) - b.value(x, y));
    if (difference == 0) return 0;
    const double varianceA = a.variance(x, y), varianceB = b.variance(x, y), variance = varianceA + varianceB;
    if (variance == 0) return std::numeric_limits<double>::infinity();
    const double degrees =
        variance * variance /
        (varianceA * varianceA / a.degreesOfFreedom(x, y) + varianceB * varianceB / b.degreesOfFreedom(x, y));
    return normalDeviate(difference / std::sqrt(variance), degrees);
}

/// p-value of the largest of three deviations.
double combinedP(double deviate) { return std::min(1.0, 3 * std::erfc(deviate / std::sqrt(2))); }

/// How many of the deviations Benjamini and Hochberg's step-up procedure rejects, after sorting them, largest first.
std::size_t discoveries(std::vector<float>& deviations, std::size_t tests, double level)
{
    std::sort(deviations.begin(), deviations.end(), std::greater());
    for (std::size_t k = deviations.size(); k > 0; --k) {
        if (combinedP(static_cast<double>(deviations[k - 1])) <=
            level * static_cast<double>(k) / static_cast<double>(tests))
            return k;
    }
    return 0;
}

using Colors = std::array<MeasuredChannel, 3>;
constexpr float untested = -1;

PixelPlane deviations(const Colors& a, const Colors& b, const PixelWindow& region, int width, int height)
{
    PixelPlane plane(width, height);
    tbb::parallel_for(region.y, region.y + region.height, [&](int y) {
        for (int x = region.x; x < region.x + region.width; ++x) {
            float& greatest = plane.row(y)[x];
            for (std::size_t c = 0; c < 3 && greatest != untested; ++c) {
                greatest = a[c].isTested(x, y) && b[c].isTested(x, y)
                               ? std::max(greatest, static_cast<float>(deviation(a[c], b[c], x, y)))
                               : untested;
            }
        }
    });
    return plane;
}

/// Difference of mean luminance in standard errors, from the pixels that were tested.
class MeanTest {
public:
    void add(const Colors& a, const Colors& b, int x, int y)
    {
        constexpr std::array<double, 3> weights = luminanceWeights<double>;
        double error = 0;  // colours of a pixel come from the same paths: their errors add up
        for (std::size_t c = 0; c < 3; ++c) {
            m_difference += weights[c] * (a[c].value(x, y) - b[c].value(x, y));
            error += weights[c] * std::sqrt(a[c].variance(x, y) + b[c].variance(x, y));
        }
        m_variance += error * error;
    }
    double deviations() const { return m_difference == 0 ? 0 : std::abs(m_difference) / std::sqrt(m_variance); }

private:
    double m_difference = 0, m_variance = 0;
};

}  // namespace

std::string missingStandardErrors(const Image& image)
{
    std::string missing;
    for (const char* color : colors) {
        for (const std::string& name : {std::string(color), std::string("stderr.") + color}) {
            if (!image.find(name)) missing += (missing.empty() ? "" : ", ") + name;
        }
    }
    return missing;
}

bool hasUnknownNoise(const Image& image)
{
    const Channel* const samples = image.find("samples");
    return samples && std::ranges::none_of(samples->pixels, [](float count) { return count >= 2; });
}

std::optional<Significance> significance(const Image& a, const Image& b, const PixelWindow& region, double level)
{
    if (hasUnknownNoise(a) || hasUnknownNoise(b)) return std::nullopt;
    if (!missingStandardErrors(a).empty() || !missingStandardErrors(b).empty()) return std::nullopt;
    const Colors of_a = {{{a, "R"}, {a, "G"}, {a, "B"}}}, of_b = {{{b, "R"}, {b, "G"}, {b, "B"}}};
    Significance result;
    result.level = level;
    result.deviations = deviations(of_a, of_b, region, a.width, a.height);
    std::vector<float> below;  // deviations that may be rejected
    MeanTest mean;
    for (int y = region.y; y < region.y + region.height; ++y) {
        for (int x = region.x; x < region.x + region.width; ++x) {
            float& deviate = result.deviations.row(y)[x];
            if (deviate == untested) {
                deviate = 0;
                continue;
            }
            ++result.pixels;
            if (combinedP(static_cast<double>(deviate)) <= level) below.push_back(deviate);
            mean.add(of_a, of_b, x, y);
        }
    }
    const double tested = static_cast<double>(std::max<std::size_t>(1, result.pixels));
    result.share_below_level = static_cast<double>(below.size()) / tested;
    const std::size_t called = discoveries(below, result.pixels, level);
    result.share_significant = static_cast<double>(called) / tested;
    result.least_significant =
        called ? static_cast<double>(below[called - 1]) : std::numeric_limits<double>::infinity();
    result.mean_deviations = mean.deviations();
    return result;
}

}  // namespace firn
