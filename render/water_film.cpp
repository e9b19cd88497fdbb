#include "render/water_film.h"

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

constexpr auto pif = static_cast<float>(pi);
constexpr float normalReflectance = 0.02f;  // of water, refractive index 1.33
constexpr float roughness = 0.25f;          // GGX alpha: the film follows the grains

float square(float x) { return x * x; }

/// Density of microfacet normals (Walter et al. 2007, equation 33).
float facetDensity(float cosine)
{
    return square(roughness) / (pif * square(square(cosine) * (square(roughness) - 1) + 1));
}

/// Share of microfacets that are seen from a direction (equation 34).
float seenShare(float cosine)
{
    const float tangent2 = 1 / square(cosine) - 1;
    return 2 / (1 + std::sqrt(1 + square(roughness) * tangent2));
}

/// Mirrored radiance over irradiance on a plane that faces the light (equation 20, times the cosine to the light).
float mirroredShare(const SnowPoint& point, const Vec3f& toLight)
{
    const float toEyeCosine = point.normal.dot(point.to_eye), toLightCosine = point.normal.dot(toLight);
    if (toEyeCosine <= 0 || toLightCosine <= 0) return 0;
    const Vec3f half = (point.to_eye + toLight).normalized();
    const float fresnel = fresnelReflectance(normalReflectance, half.dot(toLight));
    return fresnel * facetDensity(point.normal.dot(half)) * seenShare(toEyeCosine) * seenShare(toLightCosine) /
           (4 * toEyeCosine);
}

Vec3f ofLamps(const RenderScene& scene, const SnowPoint& point)
{
    Vec3f sum = Vec3f::Zero();
    for (const Light* light : scene.lights.sampled()) {
        const LightSample sample = light->sample(point.place, {0.5f, 0.5f});
        const float share = sample.scale * mirroredShare(point, sample.direction);
        if (share <= 0) continue;
        sum += share * shareOfLight(scene, point, sample.direction, sample.distance) * sample.irradiance;
    }
    return sum;
}

Vec3f ofSkies(const RenderScene& scene, const SnowPoint& point)
{
    const float cosine = point.normal.dot(point.to_eye);
    if (cosine <= 0) return Vec3f::Zero();
    const Vec3f mirrored = 2 * cosine * point.normal - point.to_eye;
    Vec3f sum = Vec3f::Zero();
    for (const auto& light : scene.lights.all())
        if (light->foundBy() == FoundBy::Scattering) sum += light->radiance({point.outside, mirrored}, infinity);
    if (sum.isZero()) return sum;
    return fresnelReflectance(normalReflectance, cosine) * shareOfLight(scene, point, mirrored, infinity) * sum;
}

std::unique_ptr<const MeanField> wetnessField(const SnowParticles& particles, std::span<const SnowOptics> optics,
                                              double voxel_m)
{
    std::vector<Vec3f> wetness(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i)
        wetness[i].setConstant(static_cast<float>(opticsOfParticle(optics, particles, i).wetness));
    return std::make_unique<const MeanField>(particles, particles.volume0_m3, wetness, voxel_m);
}

}  // namespace

WaterFilm::WaterFilm(const SnowParticles& particles, std::span<const SnowOptics> optics, double voxel_m)
{
    const auto isDrier = [](const SnowOptics& a, const SnowOptics& b) { return a.wetness < b.wetness; };
    const auto [driest, wettest] = std::minmax_element(optics.begin(), optics.end(), isDrier);
    m_wettest = static_cast<float>(wettest->wetness);
    if (driest->wetness < wettest->wetness) m_field = wetnessField(particles, optics, voxel_m);
}

float WaterFilm::wetnessAt(const Vec3f& place_m) const
{
    return m_field ? m_field->at(place_m, Vec3f::Zero()).x() : m_wettest;
}

Vec3f WaterFilm::radiance(const RenderScene& scene, const SnowPoint& point) const
{
    const float wetness = wetnessAt(point.place);
    return wetness > 0 ? Vec3f(wetness * (ofLamps(scene, point) + ofSkies(scene, point))) : Vec3f::Zero();
}

}  // namespace firn
