#include "common/image/view.h"

#include <algorithm>
#include <cmath>

#include "common/error.h"

namespace firn {

View viewByName(const std::string& name)
{
    if (name == "srgb") return View::Srgb;
    if (name == "filmic") return View::Filmic;
    throw Error(ExitCode::Usage, "unknown view \"" + clampText(name) + "\": expected filmic or srgb");
}

float srgbEncode(float linear)
{
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

const std::array<float, 256>& linearOfBytes()
{
    static const std::array<float, 256> values = [] {
        std::array<float, 256> linear{};
        for (std::size_t i = 0; i < linear.size(); ++i) {
            const double encoded = static_cast<double>(i) / 255;
            linear[i] =
                static_cast<float>(encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4));
        }
        return linear;
    }();
    return values;
}

float toneCurve(View view, float radiance)
{
    constexpr float filmicWhite = 7.3f;  // beyond the point where the fit reaches 1
    if (!(radiance > 0)) return 0;
    if (view == View::Srgb) return std::min(radiance, 1.0f);
    const float x = std::min(radiance, filmicWhite);
    return std::min(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 1.0f);
}

Rgb8Image displayImage(const Image& image, View view, double exposure)
{
    const float gain = static_cast<float>(std::exp2(exposure));
    Rgb8Image display{image.width, image.height, std::vector<std::uint8_t>(3 * image.pixelCount())};
    const char* const names[3] = {"R", "G", "B"};
    for (int c = 0; c < 3; ++c) {
        const std::vector<float>& values = image.at(names[c]).pixels;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float shown = srgbEncode(toneCurve(view, gain * values[i]));
            display.pixels[3 * i + static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(std::lround(255 * shown));
        }
    }
    return display;
}

}  // namespace firn
