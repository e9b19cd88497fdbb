#include "common/compare/metrics.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "common/image/luminance.h"

namespace firn {

namespace {

/// Of one row of the region, all channels.
struct RowSums {
    std::size_t pixels = 0, not_finite_a = 0, not_finite_b = 0, not_finite_in_one = 0;
    double a = 0, b = 0, absolute = 0, square = 0, relative = 0;
    LargestDifference largest;
};

struct ChannelPair {
    const Channel& a;
    const Channel& b;
};

std::vector<ChannelPair> channelPairs(const Image& a, const Image& b, const Layer& layer)
{
    std::vector<ChannelPair> pairs;
    for (const std::string& name : layer.channels) pairs.push_back({a.at(name), b.at(name)});
    return pairs;
}

void addPixel(RowSums& sums, const std::vector<ChannelPair>& pairs, std::size_t i, int x, int y)
{
    bool isFiniteA = true, isFiniteB = true;
    for (const ChannelPair& pair : pairs) {
        isFiniteA = isFiniteA && std::isfinite(pair.a.pixels[i]);
        isFiniteB = isFiniteB && std::isfinite(pair.b.pixels[i]);
    }
    sums.not_finite_a += !isFiniteA;
    sums.not_finite_b += !isFiniteB;
    sums.not_finite_in_one += isFiniteA != isFiniteB;
    if (!isFiniteA || !isFiniteB) return;
    ++sums.pixels;
    for (const ChannelPair& pair : pairs) {
        constexpr double epsilon = 0.01;
        const double a = static_cast<double>(pair.a.pixels[i]), b = static_cast<double>(pair.b.pixels[i]),
                     difference = b - a;
        sums.a += a;
        sums.b += b;
        sums.absolute += std::abs(difference);
        sums.square += difference * difference;
        sums.relative += difference * difference / (a * a + epsilon);
        if (std::abs(difference) > sums.largest.value) sums.largest = {std::abs(difference), pair.a.name, x, y};
    }
}

void add(RowSums& total, const RowSums& row)
{
    total.pixels += row.pixels;
    total.not_finite_a += row.not_finite_a;
    total.not_finite_b += row.not_finite_b;
    total.not_finite_in_one += row.not_finite_in_one;
    total.a += row.a;
    total.b += row.b;
    total.absolute += row.absolute;
    total.square += row.square;
    total.relative += row.relative;
    if (row.largest.value > total.largest.value) total.largest = row.largest;
}

RowSums sumsOver(const Image& image, const std::vector<ChannelPair>& pairs, const PixelWindow& region)
{
    std::vector<RowSums> rows(static_cast<std::size_t>(region.height));
    tbb::parallel_for(0, region.height, [&](int row) {
        const int y = region.y + row;
        for (int x = region.x; x < region.x + region.width; ++x) {
            addPixel(rows[static_cast<std::size_t>(row)], pairs,
                     static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x),
                     x + image.origin_x, y + image.origin_y);
        }
    });
    RowSums total;
    for (const RowSums& row : rows) add(total, row);
    return total;
}

constexpr int windowRadius = 5;

/// 11 x 11 weights of sum 1.
std::vector<double> similarityWindow()
{
    constexpr double sigma = 1.5;
    std::vector<double> window;
    for (int v = -windowRadius; v <= windowRadius; ++v) {
        for (int u = -windowRadius; u <= windowRadius; ++u) {
            window.push_back(std::exp(-0.5 * (u * u + v * v) / (sigma * sigma)));
        }
    }
    const double sum = std::accumulate(window.begin(), window.end(), 0.0);
    for (double& weight : window) weight /= sum;
    return window;
}

struct Moments {
    double mean_a = 0, mean_b = 0;
    double variances = 0;  // of a and b together
    double covariance = 0;
};

/// About the middle pixel's values, where squares of a smooth image do not cancel.
Moments momentsAround(const PixelPlane& a, const PixelPlane& b, int x, int y, const std::vector<double>& window)
{
    const double middleA = static_cast<double>(a.row(y)[x]), middleB = static_cast<double>(b.row(y)[x]);
    double sumA = 0, sumB = 0, squares = 0, product = 0;
    const double* weight = window.data();
    for (int v = y - windowRadius; v <= y + windowRadius; ++v) {
        for (int u = x - windowRadius; u <= x + windowRadius; ++u, ++weight) {
            const double valueA = static_cast<double>(a.row(v)[u]) - middleA,
                         valueB = static_cast<double>(b.row(v)[u]) - middleB;
            sumA += *weight * valueA;
            sumB += *weight * valueB;
            squares += *weight * (valueA * valueA + valueB * valueB);
            product += *weight * valueA * valueB;
        }
    }
    return {middleA + sumA, middleB + sumB, squares - sumA * sumA - sumB * sumB, product - sumA * sumB};
}

/// Wang et al. 2004, eq. 13.
double similarity(const Moments& m, double peak)
{
    const double c1 = std::pow(0.01 * peak, 2), c2 = std::pow(0.03 * peak, 2);
    return (2 * m.mean_a * m.mean_b + c1) * (2 * m.covariance + c2) /
           ((m.mean_a * m.mean_a + m.mean_b * m.mean_b + c1) * (m.variances + c2));
}

}  // namespace

std::vector<bool> finitePixels(const Image& a, const Image& b, const Layer& layer)
{
    std::vector<bool> isFinite(a.pixelCount(), true);
    for (const ChannelPair& pair : channelPairs(a, b, layer)) {
        for (std::size_t i = 0; i < isFinite.size(); ++i) {
            if (!std::isfinite(pair.a.pixels[i]) || !std::isfinite(pair.b.pixels[i])) isFinite[i] = false;
        }
    }
    return isFinite;
}

LayerMetrics layerMetrics(const Image& a, const Image& b, const Layer& layer, const PixelWindow& region, double peak)
{
    const RowSums sums = sumsOver(a, channelPairs(a, b, layer), region);
    const double n = static_cast<double>(std::max<std::size_t>(1, sums.pixels * layer.channels.size()));
    LayerMetrics metrics;
    metrics.layer = layer.name;
    metrics.pixels = sums.pixels;
    metrics.not_finite_a = sums.not_finite_a;
    metrics.not_finite_b = sums.not_finite_b;
    metrics.not_finite_in_one = sums.not_finite_in_one;
    metrics.mean_a = sums.a / n;
    metrics.mean_b = sums.b / n;
    metrics.mean_difference = metrics.mean_b - metrics.mean_a;
    metrics.mean_absolute = sums.absolute / n;
    metrics.rms = std::sqrt(sums.square / n);
    metrics.relative_mse = sums.relative / n;
    metrics.psnr_db = 20 * std::log10(peak / metrics.rms);
    metrics.largest = sums.largest;
    return metrics;
}

PixelPlane luminanceOf(const RgbPlanes& image)
{
    PixelPlane result(image[0].width, image[0].height);
    for (std::size_t i = 0; i < result.values.size(); ++i) {
        result.values[i] = luminance(image[0].values[i], image[1].values[i], image[2].values[i]);
    }
    return result;
}

double structuralSimilarity(const PixelPlane& a, const PixelPlane& b, const PixelWindow& region, double peak)
{
    const int left = std::max(region.x, windowRadius), top = std::max(region.y, windowRadius);
    const int right = std::min(region.x + region.width, a.width - windowRadius);
    const int bottom = std::min(region.y + region.height, a.height - windowRadius);
    if (left >= right || top >= bottom) return std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> window = similarityWindow();
    std::vector<double> rows(static_cast<std::size_t>(bottom - top));
    tbb::parallel_for(top, bottom, [&](int y) {
        for (int x = left; x < right; ++x) {
            rows[static_cast<std::size_t>(y - top)] += similarity(momentsAround(a, b, x, y, window), peak);
        }
    });
    return std::accumulate(rows.begin(), rows.end(), 0.0) /
           (static_cast<double>(right - left) * static_cast<double>(bottom - top));
}

double regionMean(const PixelPlane& plane, const PixelWindow& region)
{
    double sum = 0;
    for (int y = region.y; y < region.y + region.height; ++y) {
        for (int x = region.x; x < region.x + region.width; ++x) sum += static_cast<double>(plane.row(y)[x]);
    }
    return sum / (static_cast<double>(region.width) * static_cast<double>(region.height));
}

std::size_t alphaErrors(const Image& image, const PixelWindow& region)
{
    constexpr float rounding = 1.0f / 2048;
    const Channel* const alpha = image.find("A");
    std::size_t count = 0;
    for (int y = region.y; alpha && y < region.y + region.height; ++y) {
        for (int x = region.x; x < region.x + region.width; ++x) {
            const float value = alpha->pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                              static_cast<std::size_t>(x)];
            count += !(value >= -rounding && value <= 1 + rounding);
        }
    }
    return count;
}

}  // namespace firn
