#include "common/compare/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace firn {

namespace {

using Color = std::array<float, 3>;

constexpr Color anchors[] = {{0, 0, 4}, {81, 18, 124}, {183, 55, 121}, {252, 137, 97}, {252, 253, 191}};  // sRGB
constexpr int lastAnchor = 4;

}  // namespace

Rgb8Image heatMap(const PixelPlane& values)
{
    Rgb8Image image{values.width, values.height, {}};
    image.pixels.reserve(3 * values.values.size());
    for (const float value : values.values) {
        const float position = std::clamp(value, 0.0f, 1.0f) * lastAnchor;
        const int below = std::min(static_cast<int>(position), lastAnchor - 1);
        const float t = position - static_cast<float>(below);
        for (std::size_t c = 0; c < 3; ++c) {
            image.pixels.push_back(
                static_cast<std::uint8_t>(std::lround((1 - t) * anchors[below][c] + t * anchors[below + 1][c])));
        }
    }
    return image;
}

}  // namespace firn
