#pragma once
// Presets: kinds of snow, and colours of snow, under the names that artists use.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/scene/scene.h"

namespace firn {

struct SnowPreset {
    std::string_view name;
    std::string_view meaning;  // its look, and why these values give it
    SnowLook look = {};
    SnowMaterial material = {};
    SnowNoise noise = {};
    SnowCrust crust = {};
    SnowSeams seams = {};
};

/// A colour of snow, linear Rec. 709: either the spherical reflectance of deep snow in white light, or the
/// single-scattering albedo. At most one of them is not zero. The renderer computes the albedo from the reflectance;
/// if both are zero, from the ice of the grains.
struct RenderPreset {
    std::string_view name;
    std::string_view meaning;
    Vec3d reflectance = Vec3d::Zero();
    Vec3d albedo = Vec3d::Zero();
};

std::span<const SnowPreset> snowPresets();
std::span<const RenderPreset> renderPresets();
std::vector<std::string_view> snowPresetNames();
std::vector<std::string_view> renderPresetNames();
/// The same, and the empty text.
std::vector<std::string_view> lookPresetNames();

/// Throws Error(Usage) for a name that is not among snowPresetNames().
const SnowPreset& snowPreset(std::string_view name);

/// Throws Error(Usage) for a name that is not among renderPresetNames().
const RenderPreset& renderPreset(std::string_view name);

}  // namespace firn
