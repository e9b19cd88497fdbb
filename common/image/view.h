#pragma once
// Converts linear radiance to what a display shows: exposure, tone curve, sRGB encoding (IEC 61966-2-1).

#include <array>
#include <string>

#include "common/image/image.h"
#include "common/image/png.h"

namespace firn {

enum class View {
    Srgb,    // clips at 1
    Filmic,  // Narkowicz's fit of the ACES curve: x (2.51 x + 0.03) / (x (2.43 x + 0.59) + 0.14), clips at 7.24:
             // 1 shows at 0.80, so sunlit snow keeps its shape 2.9 stops above white
};

/// "srgb" or "filmic"; throws Error(Usage) otherwise.
View viewByName(const std::string& name);

/// sRGB encoding of a linear value in [0, 1].
float srgbEncode(float linear);
/// Its inverse for each byte.
const std::array<float, 256>& linearOfBytes();
/// Tone curve of one channel: scene-linear in, display-linear in [0, 1] out. NaN gives 0.
float toneCurve(View view, float radiance);

/// Channels R, G, B scaled by 2^exposure, curved and encoded. Throws Error(File) where a channel is missing.
Rgb8Image displayImage(const Image& image, View view, double exposure);

}  // namespace firn
