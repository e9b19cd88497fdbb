#include "render/principled.h"

#include <algorithm>
#include <cmath>

#include "render/ggx.h"
#include "render/phase.h"

namespace firn {

namespace {

constexpr float interfaceF0 = 0.04f;  // ((1.5 - 1) / (1.5 + 1))^2
constexpr float leastCosine = 0.01f;
constexpr float leastFacets = 0.1f, mostFacets = 0.95f;

/// What reflections from facet to facet give, relative to facets that reflect all light, whose mean albedo is `full`
/// (Kulla and Conty 2017). The mean of Schlick's Fresnel reflectance over all directions is (20 F0 + 1) / 21.
float severalReflections(float f0, float full)
{
    const float fresnel = (20 * f0 + 1) / 21;
    return fresnel * fresnel * full / (1 - fresnel * (1 - full));
}

/// Columns: two tangents, and the normal.
Mat3f frameOf(const Vec3f& normal)
{
    const auto [tangent, bitangent] = tangentsOf(normal);
    Mat3f frame;
    frame << tangent, bitangent, normal;
    return frame;
}

float fifthPower(float x) { return x * x * x * x * x; }

}  // namespace

Principled::Principled(const SurfaceMaterial& material, const Vec3f& normal, const Vec3f& toEye)
    : m_frame(frameOf(normal)), m_out(m_frame.transpose() * toEye), m_alpha(material.roughness * material.roughness)
{
    m_out.z() = std::max(m_out.z(), leastCosine);
    m_out.normalize();
    const float metal = material.metalness;
    const GgxAlbedo facets = ggxAlbedo(m_out.z(), m_alpha), mean = meanGgxAlbedo(m_alpha);
    m_fullMean = mean.full();
    m_clearSeveral = severalReflections(interfaceF0, m_fullMean);
    m_clearMean = interfaceF0 * mean.scale + mean.bias + m_clearSeveral * (1 - m_fullMean);
    m_f0 = metal * material.color + Vec3f::Constant((1 - metal) * interfaceF0);
    m_once = m_f0 * facets.scale + Vec3f::Constant(facets.bias);
    const Vec3f several = material.color.unaryExpr(
        [&](float f0) { return metal * severalReflections(f0, m_fullMean) + (1 - metal) * m_clearSeveral; });
    m_several = several * (1 - facets.full());
    const float clear = interfaceF0 * facets.scale + facets.bias + m_clearSeveral * (1 - facets.full());
    m_base = (1 - metal) * (1 - clear) * material.color;
    m_facets = std::clamp(m_once.mean() / albedo().mean(), leastFacets, mostFacets);
}

Scattering Principled::local(const Vec3f& in) const
{
    if (in.z() <= 0) return {};
    const Vec3f h = (in + m_out).normalized();
    const Vec3f fresnel = m_f0 + (Vec3f::Ones() - m_f0) * fifthPower(1 - std::clamp(m_out.dot(h), 0.0f, 1.0f));
    const Vec3f once = fresnel * ggxReflectance(in, m_out, m_alpha);
    const GgxAlbedo facets = ggxAlbedo(in.z(), m_alpha);
    const Vec3f several = m_several * (1 - facets.full()) / std::max(1e-6f, 1 - m_fullMean);
    const float clear = interfaceF0 * facets.scale + facets.bias + m_clearSeveral * (1 - facets.full());
    const Vec3f base = m_base * (1 - clear) / (1 - m_clearMean);
    const float density = m_facets * ggxDensity(in, m_out, m_alpha) + (1 - m_facets) * in.z() / pif;
    return {density, (once + (several + base) / pif) * (in.z() / density)};
}

Scattering Principled::towards(const Vec3f& toLight) const { return local(m_frame.transpose() * toLight); }

ScatteredRay Principled::sample(Vec2f u) const
{
    Vec3f in;
    if (u.x() < m_facets) {
        in = sampleGgx(m_out, m_alpha, {u.x() / m_facets, u.y()});
    } else {
        const float share = (u.x() - m_facets) / (1 - m_facets);
        in = deflect(Vec3f::UnitZ(), std::sqrt(std::max(0.0f, 1 - share)), u.y());
    }
    return {m_frame * in, local(in)};
}

}  // namespace firn
