#include "common/compare/page_pixels.h"

#include <half.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "common/page/page.h"

namespace firn {

namespace {

/// `combine` over each factor x factor block of row-wise values.
template <typename Combine>
std::vector<float> reduced(const std::vector<float>& values, int width, int height, int factor, const Combine& combine)
{
    if (factor == 1) return values;
    std::vector<float> result, block;
    for (int top = 0; top < height; top += factor) {
        for (int left = 0; left < width; left += factor) {
            block.clear();
            for (int y = top; y < std::min(height, top + factor); ++y) {
                const auto row = values.begin() + static_cast<std::ptrdiff_t>(y) * width;
                block.insert(block.end(), row + left, row + std::min(width, left + factor));
            }
            result.push_back(combine(block));
        }
    }
    return result;
}

float mean(const std::vector<float>& values)
{
    double sum = 0;
    for (const float value : values) sum += static_cast<double>(value);
    return static_cast<float>(sum / static_cast<double>(values.size()));
}

float largest(const std::vector<float>& values) { return *std::max_element(values.begin(), values.end()); }

/// All high bytes, then all low bytes, of each value less the one before it.
std::string halvesPayload(const std::vector<std::uint16_t>& halves)
{
    std::vector<std::byte> bytes(2 * halves.size());
    std::uint16_t previous = 0;
    for (std::size_t i = 0; i < halves.size(); ++i) {
        const auto difference = static_cast<std::uint16_t>(halves[i] - previous);
        bytes[i] = std::byte(difference >> 8);
        bytes[halves.size() + i] = std::byte(difference & 0xff);
        previous = halves[i];
    }
    return base64(deflated(bytes));
}

/// `toByte` of the largest of each block.
template <typename ToByte>
std::string bytePayload(const PixelPlane& plane, int factor, const ToByte& toByte)
{
    std::vector<std::byte> bytes;
    std::uint8_t previous = 0;
    for (const float value : reduced(plane.values, plane.width, plane.height, factor, largest)) {
        const auto byte = static_cast<std::uint8_t>(std::clamp<int>(toByte(static_cast<double>(value)), 0, 255));
        bytes.push_back(std::byte(static_cast<std::uint8_t>(byte - previous)));
        previous = byte;
    }
    return base64(deflated(bytes));
}

}  // namespace

std::string halfPayload(const Image& image, const Layer& layer, int factor)
{
    constexpr float maxHalf = 65504;
    std::vector<std::uint16_t> halves;
    for (std::size_t c = 0; c < std::min<std::size_t>(3, layer.channels.size()); ++c) {
        const std::vector<float>& pixels = image.at(layer.channels[c]).pixels;
        for (const float value : reduced(pixels, image.width, image.height, factor, mean)) {
            halves.push_back(half(std::isfinite(value) ? std::clamp(value, -maxHalf, maxHalf) : value).bits());
        }
    }
    return halvesPayload(halves);
}

std::string flipPayload(const PixelPlane& flip, int factor)
{
    return bytePayload(flip, factor, [](double value) { return static_cast<int>(std::lround(255 * value)); });
}

std::string deviationPayload(const PixelPlane& deviations, int factor, double threshold)
{
    const int first =
        static_cast<int>(std::ceil(std::min(255.0, threshold / deviationStep)));  // that counts as beyond it
    return bytePayload(deviations, factor, [&](double value) {
        const int nearest = static_cast<int>(std::lround(std::min(255.0, value / deviationStep)));
        return value >= threshold ? std::max(nearest, first) : std::min(nearest, first - 1);
    });
}

}  // namespace firn
