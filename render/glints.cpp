#include "render/glints.h"

#include <algorithm>
#include <cmath>

#include "common/mix_bits.h"

namespace firn {

namespace {

// Directions that a facet mirrors: a cone of this angular radius, because facets are not flat.
constexpr float coneRadius = 0.04f;
constexpr int mostLevel = 4;  // of the lattice; each has cells twice as wide as the one before
constexpr float facetRadius = 0.4f, facetJitter = 0.1f;  // over the edge of a cell: 4/3 pi .4^3 = .27 of its volume
constexpr float iceReflectance = 0.018f;                 // of ice, refractive index 1.31

struct Facet {
    bool is_here = false;
    float brightness = 1;  // over the mean: facets differ in size and in flatness
    Vec3f normal = Vec3f::UnitY();
};

/// The facet of the cell around a point, in cells.
Facet facetAt(const Vec3f& point, int level)
{
    const Vec3f corner = point.array().floor();
    const Vec3i cell = corner.cast<int>();
    std::uint64_t key = static_cast<std::uint64_t>(level) + 1;
    for (const int i : {cell.x(), cell.y(), cell.z()}) key = mixBits(key ^ static_cast<std::uint32_t>(i));
    const auto uniform = [&] {
        key = mixBits(key + 1);
        return static_cast<float>(key >> 40) * 0x1p-24f;
    };
    const Vec3f jitter(uniform(), uniform(), uniform());
    const Vec3f centre = Vec3f::Constant(0.5f - facetJitter) + 2 * facetJitter * jitter;
    const float z = 2 * uniform() - 1, turn = 2 * pif * uniform(), sine = std::sqrt(std::max(0.0f, 1 - z * z));
    return {(point - corner - centre).squaredNorm() < facetRadius * facetRadius, -std::log(1 - uniform()),
            Vec3f(sine * std::cos(turn), sine * std::sin(turn), z)};
}

}  // namespace

Glints::Glints(std::unique_ptr<const MeanField> shifts, const GlintSettings& settings)
    : m_shifts(std::move(shifts)),
      m_strength(static_cast<float>(settings.strength)),
      m_size_m(static_cast<float>(settings.size_m)),
      m_pixelAngle(static_cast<float>(settings.pixel_angle)),
      m_streakLevels(0.5f * std::log2(std::max(1.0f, static_cast<float>(settings.streak_px)))),
      m_lens(settings.lens)
{
}

/// Of the lattice, for what a pixel shows at a distance from the eye. The light of a facet that draws a streak or is
/// not in focus is spread over an area, as over one pixel of that area. The few paths of a pixel would miss it, or show
/// it as a dot.
float Glints::levelAt(float distance_m) const
{
    const float pixel_m = m_pixelAngle * distance_m;  // negative for a surface behind the eye
    const float cells = std::max(1.0f, pixel_m / m_size_m);
    const auto blur_m = static_cast<float>(m_lens.blurAt(static_cast<double>(distance_m)));
    const float blurLevels = pixel_m > 0 && blur_m > pixel_m ? std::log2(blur_m / pixel_m) : 0;
    return std::min(std::log2(cells), static_cast<float>(mostLevel)) + m_streakLevels + blurLevels;
}

Vec3f Glints::radiance(const RenderScene& scene, const SnowPoint& point) const
{
    return byGroup(scene, point).rowwise().sum();
}

GroupedLight Glints::byGroup(const RenderScene& scene, const SnowPoint& point) const
{
    const float level = levelAt(point.eye_distance_m);
    const float ofMean = std::clamp(0.5f * (level - static_cast<float>(mostLevel)), 0.0f, 1.0f);
    GroupedLight sum = noLight(scene);
    if (ofMean < 1) sum += (1 - ofMean) * ofFacets(scene, point, std::min(level, static_cast<float>(mostLevel)));
    if (ofMean > 0) sum += ofMean * mean(scene, point);
    return sum;
}

GroupedLight Glints::ofFacets(const RenderScene& scene, const SnowPoint& point, float level) const
{
    const int low = std::min(static_cast<int>(level), mostLevel - 1);
    const float share = level - static_cast<float>(low);
    GroupedLight sum = (1 - share) * ofLevel(scene, point, low);
    if (share > 0) sum += share * ofLevel(scene, point, low + 1);
    return sum;
}

/// Of many facets: c F E / (4 pi).
GroupedLight Glints::mean(const RenderScene& scene, const SnowPoint& point) const
{
    constexpr float share = 4.0f / 3 * pif * facetRadius * facetRadius * facetRadius;
    GroupedLight sum = noLight(scene);
    for (std::size_t k = 0; k < scene.lights.sampled().size(); ++k) {
        const LightSample light = scene.lights.sampled()[k]->sample(point.place, {0.5f, 0.5f});
        if (light.scale <= 0) continue;
        const float half = std::sqrt(std::max(0.0f, 0.5f * (1 + light.direction.dot(point.to_eye))));
        sum.col(scene.lights.groupOfSampled(k)) +=
            (m_strength * share * fresnelReflectance(iceReflectance, half) / (4 * pif) * light.scale *
             shareOfLight(scene, point, light.direction, light.distance)) *
            light.irradiance;
    }
    return sum;
}

GroupedLight Glints::ofLevel(const RenderScene& scene, const SnowPoint& point, int level) const
{
    const float scale = static_cast<float>(1 << level);
    const Vec3f atRest = m_shifts ? Vec3f(point.place + m_shifts->at(point.place, Vec3f::Zero())) : point.place;
    const Facet facet = facetAt(atRest / (m_size_m * scale), level);
    if (!facet.is_here) return noLight(scene);
    const float cosine = std::abs(facet.normal.dot(point.to_eye));
    const Vec3f mirrored = 2 * facet.normal.dot(point.to_eye) * facet.normal - point.to_eye;
    const float cone = coneRadius * scale;
    GroupedLight sum = noLight(scene);
    for (std::size_t k = 0; k < scene.lights.sampled().size(); ++k) {
        const LightSample light = scene.lights.sampled()[k]->sample(point.place, {0.5f, 0.5f});
        if (light.scale <= 0) continue;
        const float off = (mirrored - light.direction).squaredNorm() / (cone * cone);
        if (off >= 1) continue;
        // One facet stands for scale^2: it shines as often as they do together, and no brighter.
        const float lobe = 2 * (1 - off) / (pif * coneRadius * coneRadius * scale * scale);
        sum.col(scene.lights.groupOfSampled(k)) +=
            (m_strength * facet.brightness * fresnelReflectance(iceReflectance, cosine) * 2 * cosine * lobe *
             light.scale * shareOfLight(scene, point, light.direction, light.distance)) *
            light.irradiance;
    }
    return sum;
}

}  // namespace firn
