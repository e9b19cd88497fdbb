#include "render/water_film.h"

#include <algorithm>
#include <cmath>

#include "render/albedo_field.h"

namespace firn {

namespace {

constexpr float waterReflectance = 0.02f;  // of water, refractive index 1.33
constexpr float roughness = 0.25f;         // GGX alpha: the film follows the grains

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
    const float fresnel = fresnelReflectance(waterReflectance, half.dot(toLight));
    return fresnel * facetDensity(point.normal.dot(half)) * seenShare(toEyeCosine) * seenShare(toLightCosine) /
           (4 * toEyeCosine);
}

void addLamps(const RenderScene& scene, const SnowPoint& point, GroupedLight& sum)
{
    for (std::size_t k = 0; k < scene.lights.sampled().size(); ++k) {
        const LightSample sample = scene.lights.sampled()[k]->sample(point.place, {0.5f, 0.5f});
        const float share = sample.scale * mirroredShare(point, sample.direction);
        if (share <= 0) continue;
        sum.col(scene.lights.groupOfSampled(k)) +=
            share * shareOfLight(scene, point, sample.direction, sample.distance) * sample.irradiance;
    }
}

void addSkies(const RenderScene& scene, const SnowPoint& point, GroupedLight& sum)
{
    const float cosine = point.normal.dot(point.to_eye);
    if (cosine <= 0) return;
    const Vec3f mirrored = 2 * cosine * point.normal - point.to_eye;
    GroupedLight skies = noLight(scene);
    for (std::size_t k = 0; k < scene.lights.all().size(); ++k) {
        const Light& light = *scene.lights.all()[k];
        if (light.foundBy() == FoundBy::Scattering)
            skies.col(scene.lights.groupOf(k)) += light.radiance({point.outside, mirrored}, infinity);
    }
    if (skies.isZero()) return;
    sum += fresnelReflectance(waterReflectance, cosine) * shareOfLight(scene, point, mirrored, infinity) * skies;
}

}  // namespace

WaterFilm::WaterFilm(const SnowParticles& particles, const std::vector<float>& shares, double voxel_m)
{
    const auto [least, most] = std::ranges::minmax(shares);
    m_most = most;
    if (least == most) return;
    std::vector<Vec3f> vectors(shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i) vectors[i].setConstant(shares[i]);
    m_field = std::make_unique<const MeanField>(particles, particles.volume0_m3, vectors, voxel_m);
}

float WaterFilm::shareAt(const Vec3f& place_m) const
{
    return m_field ? m_field->at(place_m, Vec3f::Zero()).x() : m_most;
}

Vec3f WaterFilm::radiance(const RenderScene& scene, const SnowPoint& point) const
{
    return byGroup(scene, point).rowwise().sum();
}

GroupedLight WaterFilm::byGroup(const RenderScene& scene, const SnowPoint& point) const
{
    GroupedLight sum = noLight(scene);
    const float share = shareAt(point.place);
    if (share <= 0) return sum;
    addLamps(scene, point, sum);
    addSkies(scene, point, sum);
    return share * sum;
}

std::vector<float> filmShares(const SnowParticles& particles, std::span<const SnowOptics> optics,
                              const std::vector<float>& glaze)
{
    std::vector<float> shares(particles.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const auto wetness = static_cast<float>(opticsOfParticle(optics, particles, i).wetness);
        shares[i] = glaze.empty() ? wetness : 1 - (1 - wetness) * (1 - glaze[i]);
    }
    if (std::ranges::none_of(shares, [](float share) { return share > 0; })) shares.clear();
    return shares;
}

}  // namespace firn
