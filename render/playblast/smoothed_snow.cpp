#include "render/playblast/smoothed_snow.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "render/playblast/drawn_snow.h"
#include "render/ray.h"

namespace firn {
namespace {

constexpr int rounds = 2;
constexpr float leastPixels = 2, mostPixels = 8;  // of the mean to each side
constexpr float reach = 1.6f;                     // of the mean, in distances of particles
constexpr float mostStep =
    5;  // of depth between neighbours of one surface, in distances of particles or pairs of pixels

/// The mean along rows (step 1) or columns (step = width).
void smoothAlong(const DepthPicture& picture, bool alongRows, float spacing_m, float scale,
                 const std::vector<float>& from, std::vector<float>& to)
{
    const int width = picture.width(), height = picture.height(), step = alongRows ? 1 : width;
    tbb::parallel_for(0, height, [&](int y) {
        for (int x = 0; x < width; ++x) {
            const int i = y * width + x;
            const float depth = from[static_cast<std::size_t>(i)];
            float mean = depth;
            if (picture.surface(x, y) & DrawnSnow::mark) {
                const float pixel_m = depth / scale, most_m = mostStep * std::max(spacing_m, 2 * pixel_m);
                const int n = static_cast<int>(std::clamp(reach * spacing_m / pixel_m, leastPixels, mostPixels));
                const int at = alongRows ? x : y, end = alongRows ? width : height;
                const auto isSame = [&](float other) { return std::abs(other - depth) < most_m; };
                float sum = depth;
                int count = 1;
                // In pairs: a mean of one side alone would tilt the surface at its edge.
                for (int k = 1; k <= std::min({n, at, end - 1 - at}); ++k) {
                    const float before = from[static_cast<std::size_t>(i - k * step)],
                                after = from[static_cast<std::size_t>(i + k * step)];
                    if (!isSame(before) || !isSame(after)) break;
                    sum += before + after;
                    count += 2;
                }
                mean = sum / static_cast<float>(count);
            }
            to[static_cast<std::size_t>(i)] = mean;
        }
    });
}

}  // namespace

std::vector<float> smoothedDepths(const DepthPicture& picture, float spacing_m, float scale)
{
    std::vector<float> depths(static_cast<std::size_t>(picture.width()) * static_cast<std::size_t>(picture.height()));
    tbb::parallel_for(0, picture.height(), [&](int y) {
        for (int x = 0; x < picture.width(); ++x) {
            const float nearness = picture.nearness(x, y);
            depths[static_cast<std::size_t>(y * picture.width() + x)] = nearness > 0 ? 1 / nearness : infinity;
        }
    });
    std::vector<float> other(depths.size());
    for (int round = 0; round < rounds; ++round) {
        smoothAlong(picture, true, spacing_m, scale, depths, other);
        smoothAlong(picture, false, spacing_m, scale, other, depths);
    }
    return depths;
}

}  // namespace firn
