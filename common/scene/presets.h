#pragma once
// Kinds of snow and of its colour, by the names artists use.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/scene/scene.h"

namespace firn {

struct SnowPreset {
    std::string_view name;
    std::string_view meaning;  // what it looks like and why these values give that
    SnowMaterial material = {};
    SnowNoise noise = {};
    SnowCrust crust = {};
};

/// The colour of snow: the spherical reflectance of deep snow in white light, or its single-scattering albedo. Both are
/// linear Rec. 709; exactly one of them is not zero. The renderer works out one from the other.
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

/// Throws Error(Usage) for a name that is none of snowPresetNames().
const SnowPreset& snowPreset(std::string_view name);

/// Throws Error(Usage) for a name that is none of renderPresetNames().
const RenderPreset& renderPreset(std::string_view name);

}  // namespace firn
