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

/// Spherical reflectance of deep snow in white light, linear Rec. 709, or the albedo itself.
struct RenderPreset {
    std::string_view name;
    std::string_view meaning;
    Vec3d reflectance = Vec3d::Zero();
    Vec3d albedo = Vec3d::Zero();  // where not zero it counts, and the reflectance follows from it
};

std::span<const SnowPreset> snowPresets();
std::span<const RenderPreset> renderPresets();
std::vector<std::string_view> snowPresetNames();
std::vector<std::string_view> renderPresetNames();

/// Throws Error(Usage) for a name that is none of snowPresetNames().
const SnowPreset& snowPreset(std::string_view name);

/// Single-scattering albedo of a render preset for anisotropy g. Throws Error(Usage) for an unknown name.
Vec3d presetAlbedo(std::string_view name, double anisotropy);

/// Spherical reflectance (share of uniform light sent back) of a semi-infinite medium of Henyey-Greenstein scatterers:
/// R = (1-s)(1-0.139 s)/(1+1.17 s) with the similarity parameter s = sqrt((1-a)/(1-a g)).
/// van de Hulst 1980, "Multiple Light Scattering", vol. 2; within 0.003 of exact values for g in [0, 0.75].
double sphericalReflectance(double albedo, double anisotropy);

/// The inverse: the albedo in [0, 1] whose spherical reflectance is `reflectance`, which lies in [0, 1].
double albedoForReflectance(double reflectance, double anisotropy);

}  // namespace firn
