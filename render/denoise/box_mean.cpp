#include "render/denoise/box_mean.h"

#include <algorithm>
#include <cstddef>

namespace firn {

std::vector<float> boxMean(const std::vector<float>& values, int width, int height, int radius)
{
    std::vector<float> rows(values.size()), result(values.size());
    const auto blur = [radius](const float* from, float* to, int count, std::ptrdiff_t stride) {
        for (int i = 0; i < count; ++i) {
            const int begin = std::max(0, i - radius), end = std::min(count, i + radius + 1);
            float sum = 0;
            for (int k = begin; k < end; ++k) sum += from[k * stride];
            to[i * stride] = sum / static_cast<float>(end - begin);
        }
    };
    for (std::ptrdiff_t y = 0; y < height; ++y) blur(values.data() + y * width, rows.data() + y * width, width, 1);
    for (std::ptrdiff_t x = 0; x < width; ++x) blur(rows.data() + x, result.data() + x, height, width);
    return result;
}

std::vector<float> boxMaximum(const std::vector<float>& values, int width, int height, int radius)
{
    std::vector<float> rows = values;
    const auto raise = [](float* to, const float* from, std::ptrdiff_t count) {
        for (std::ptrdiff_t i = 0; i < count; ++i) to[i] = std::max(to[i], from[i]);
    };
    for (std::ptrdiff_t y = 0; y < height; ++y) {
        const float* const from = values.data() + y * width;
        float* const to = rows.data() + y * width;
        for (std::ptrdiff_t shift = 1; shift <= std::min(radius, width - 1); ++shift) {
            raise(to, from + shift, width - shift);
            raise(to + shift, from, width - shift);
        }
    }
    std::vector<float> result = rows;
    for (std::ptrdiff_t y = 0; y < height; ++y) {
        for (std::ptrdiff_t v = std::max<std::ptrdiff_t>(0, y - radius);
             v < std::min<std::ptrdiff_t>(height, y + radius + 1); ++v)
            raise(result.data() + y * width, rows.data() + v * width, width);
    }
    return result;
}

}  // namespace firn
