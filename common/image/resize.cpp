#include "common/image/resize.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

#include "common/image/view.h"

namespace firn {

namespace {

/// A pixel of the shrunk row or column: the weights of the pixels from `first` on that it covers.
struct Cover {
    int first = 0;
    std::vector<float> weights;  // sum to 1
};

std::vector<Cover> coversOf(int from, int to)
{
    const double step = static_cast<double>(from) / to;
    std::vector<Cover> covers;
    for (int i = 0; i < to; ++i) {
        const double begin = i * step, end = (i + 1) * step;
        Cover cover{static_cast<int>(begin), {}};
        for (int k = cover.first; k < std::min(from, static_cast<int>(std::ceil(end - 1e-9))); ++k) {
            cover.weights.push_back(
                static_cast<float>((std::min(end, k + 1.0) - std::max(begin, static_cast<double>(k))) / step));
        }
        covers.push_back(std::move(cover));
    }
    return covers;
}

}  // namespace

PixelSize fittedSize(const Rgb8Image& image, int width, int height)
{
    const double factor =
        std::min({1.0, static_cast<double>(width) / image.width, static_cast<double>(height) / image.height});
    return {std::max(1, static_cast<int>(std::lround(image.width * factor))),
            std::max(1, static_cast<int>(std::lround(image.height * factor)))};
}

Rgb8Image shrunk(const Rgb8Image& image, PixelSize size)
{
    assert(size.width <= image.width && size.height <= image.height);
    const std::array<float, 256>& linear = linearOfBytes();
    const std::vector<Cover> columns = coversOf(image.width, size.width), rows = coversOf(image.height, size.height);
    Rgb8Image result{size.width, size.height, {}};
    result.pixels.reserve(static_cast<std::size_t>(3) * static_cast<std::size_t>(size.width) *
                          static_cast<std::size_t>(size.height));
    for (const Cover& row : rows) {
        for (const Cover& column : columns) {
            std::array<float, 3> sum{};
            for (std::size_t v = 0; v < row.weights.size(); ++v) {
                const std::size_t line =
                    (static_cast<std::size_t>(row.first) + v) * static_cast<std::size_t>(image.width);
                for (std::size_t u = 0; u < column.weights.size(); ++u) {
                    const std::size_t pixel = 3 * (line + static_cast<std::size_t>(column.first) + u);
                    const float weight = row.weights[v] * column.weights[u];
                    for (std::size_t c = 0; c < 3; ++c) sum[c] += weight * linear[image.pixels[pixel + c]];
                }
            }
            for (const float value : sum) {
                result.pixels.push_back(
                    static_cast<std::uint8_t>(std::lround(255 * srgbEncode(std::clamp(value, 0.0f, 1.0f)))));
            }
        }
    }
    return result;
}

}  // namespace firn
