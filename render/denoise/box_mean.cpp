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

}  // namespace firn
