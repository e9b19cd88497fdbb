#include "render/snow_optics.h"

#include <algorithm>
#include <cmath>

#include "common/scene/presets.h"
#include "render/reflectance.h"

namespace firn {

namespace {

constexpr double iceDensity_kg_m3 = 917;
// Scattering by grains of snow has this mean cosine. Phase functions with another one reflect as much light if
// s^2 = (1 - a) / (1 - a g) is the same (van de Hulst 1980). So absorption is worked out for grains and then converted.
constexpr double grainAnisotropy = 0.845;  // Kokhanovsky and Zege 2004

Vec3d wavelengths_nm() { return {610, 550, 460}; }  // near the primaries of Rec. 709

double similarityOf(double coalbedo, double anisotropy) { return coalbedo / (1 - (1 - coalbedo) * anisotropy); }

double coalbedoOf(double similarity, double anisotropy)
{
    return similarity * (1 - anisotropy) / (1 - anisotropy * similarity);
}

/// The share of light that grains absorb at a scattering, if `albedo` is that of a medium of this anisotropy.
double absorptionAtGrains(double albedo, double anisotropy)
{
    return coalbedoOf(similarityOf(1 - albedo, anisotropy), grainAnisotropy);
}

double albedoOfGrains(double absorption, double anisotropy)
{
    return 1 - coalbedoOf(similarityOf(std::clamp(absorption, 0.0, 1.0), grainAnisotropy), anisotropy);
}

/// Albedo without impurities.
Vec3d cleanAlbedo(const RenderPreset& preset, double extinction, double anisotropy)
{
    if (!preset.albedo.isZero()) return preset.albedo;
    if (!preset.reflectance.isZero())
        return preset.reflectance.unaryExpr([&](double r) { return albedoForReflectance(r, anisotropy); });
    return absorptionOfIce().unaryExpr([&](double ice) { return albedoOfGrains(ice / extinction, anisotropy); });
}

}  // namespace

double extinctionOfGrains(double radius_m) { return 1.5 / (iceDensity_kg_m3 * radius_m); }

Vec3d absorptionOfIce()
{
    const Vec3d index(6.890e-9, 2.289e-9, 1.325e-10);  // imaginary part
    constexpr double focusing = 1.6;
    return focusing / iceDensity_kg_m3 * 4 * pi * index.cwiseQuotient(1e-9 * wavelengths_nm());
}

Vec3d absorptionOfImpurities(double soot_ppm, double dust_ppm)
{
    return wavelengths_nm().unaryExpr([&](double wavelength) {
        const double soot = 7500 * 550 / wavelength, dust = 103 * std::pow(400 / wavelength, 3.1);
        return 1e-6 * (soot_ppm * soot + dust_ppm * dust);
    });
}

namespace {

/// Of dry snow, by the preset and the impurities.
Vec3d albedoOfDry(const SnowLook& look, const Render& render, double extinction)
{
    const double g = render.anisotropy;
    Vec3d albedo = cleanAlbedo(renderPreset(look.preset.empty() ? render.preset : look.preset), extinction, g);
    const Vec3d impurities = absorptionOfImpurities(look.soot_ppm, look.dust_ppm) / extinction;
    if (impurities.isZero()) return albedo;
    for (int c = 0; c < 3; ++c) albedo[c] = albedoOfGrains(absorptionAtGrains(albedo[c], g) + impurities[c], g);
    return albedo;
}

/// Snow that scatters less by the share that water covers, and absorbs as much.
SnowOptics wetted(const SnowOptics& dry, double wetness)
{
    if (wetness == 0) return dry;
    const Vec3d coalbedo = Vec3d::Ones() - dry.albedo;
    const double rest = 1 - wetness * (1 - coalbedo.maxCoeff());  // of the extinction
    return {rest * dry.extinction_m2_per_kg, Vec3d::Ones() - coalbedo / rest, wetness, 0, 0};
}

}  // namespace

SnowOptics opticsOf(const SnowLook& look, const Render& render)
{
    const bool isExtinctionGiven = render.extinction_per_m > 0;
    const double extinction = isExtinctionGiven ? render.extinction_per_m / render.reference_density_kg_m3
                                                : extinctionOfGrains(1e-3 * look.grain_radius_mm);
    const SnowOptics wet = wetted({extinction, albedoOfDry(look, render, extinction)}, look.wetness);
    const Vec3d& given = render.albedo.isZero() ? look.albedo : render.albedo;
    return {isExtinctionGiven ? extinction : wet.extinction_m2_per_kg, given.isZero() ? wet.albedo : given,
            look.wetness, look.mist, 0};
}

std::vector<SnowOptics> snowOptics(const Scene& scene)
{
    std::vector<SnowOptics> optics;
    optics.reserve(scene.snow.size());
    for (const SnowRegion& region : scene.snow) {
        SnowOptics& of = optics.emplace_back(opticsOf(region.look, scene.render));
        of.powder_m2_per_kg = extinctionOfGrains(1e-3 * region.powder.grain_mm / 2);
    }
    if (optics.empty()) optics.push_back(opticsOf(SnowLook(), scene.render));
    return optics;
}

}  // namespace firn
