#include "render/denoise/error_layer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/image/luminance.h"
#include "render/denoise/box_mean.h"

namespace firn {

namespace {

/// The squared standard error of luminance of `all` from that of `half`: their difference has the variance of `all`
/// times the number of samples outside the half over that inside it.
std::vector<float> squaredErrors(const Planes& all, const Planes& half, const std::vector<float>& samples,
                                 const std::vector<float>& halfSamples)
{
    std::vector<float> squares(samples.size());
    for (std::size_t i = 0; i < squares.size(); ++i) {
        const float difference =
            luminance(all[0][i], all[1][i], all[2][i]) - luminance(half[0][i], half[1][i], half[2][i]);
        squares[i] = difference * difference * halfSamples[i] / (samples[i] - halfSamples[i]);
    }
    return squares;
}

constexpr int smoothRadius = 3;

/// Roots of means of squares over 7 x 7 pixels: a single difference says little.
std::vector<float> smooth(const std::vector<float>& squares, int width, int height)
{
    std::vector<float> result = boxMean(squares, width, height, smoothRadius);
    for (float& value : result) value = std::sqrt(value);
    return result;
}

/// The standard error of each pixel of the picture with its noise: the median of 3 x 3 pixels, or the pixel's own where
/// that is larger. So a dark place does not get the error of a lamp beside it.
std::vector<float> noiseAround(const std::vector<float>& errors, int width, int height)
{
    std::vector<float> result(errors.size());
    const auto indexOf = [width](int x, int y) {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    };
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            std::array<float, 9> values{};
            int count = 0;
            for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
                for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u)
                    values[static_cast<std::size_t>(count++)] = errors[indexOf(u, v)];
            const auto middle = values.begin() + count / 2;
            std::nth_element(values.begin(), middle, values.begin() + count);
            result[indexOf(x, y)] = std::max(*middle, errors[indexOf(x, y)]);
        }
    }
    return result;
}

}  // namespace

std::vector<float> errorLayer(const Image& input, const Planes& clean, const Planes& cleanHalf, const HalfPicture& half)
{
    // Beside a lamp and around the mirror image of a sun, means of the difference are many times the noise of the
    // picture there.
    constexpr float mostOfNoise = 4;
    std::vector<float> errors =
        smooth(squaredErrors(clean, cleanHalf, input.at("samples").pixels, half.samples), input.width, input.height);
    const std::vector<float> most = noiseAround(input.at("stderr.Y").pixels, input.width, input.height);
    std::ranges::transform(errors, most, errors.begin(),
                           [](float error, float bound) { return std::min(error, mostOfNoise * bound); });
    return errors;
}

}  // namespace firn
