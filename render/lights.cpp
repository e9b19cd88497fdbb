#include "render/lights.h"

#include <algorithm>
#include <cmath>

#include "render/phase.h"

namespace firn {
namespace {

constexpr auto pif = static_cast<float>(pi);

Sun makeSun(const LightSpec& spec)
{
    const double radius = spec.angular_diameter_deg / 2 * pi / 180;
    const double half = std::sin(radius / 2);  // 1 - cos r = 2 sin^2(r/2), without cancellation
    return {lightDirection(spec.elevation_deg, spec.azimuth_deg), (spec.strength * spec.color).cast<float>(),
            static_cast<float>(2 * half * half)};
}

float brightness(const Vec3f& color) { return color.dot(Vec3f(0.2126f, 0.7152f, 0.0722f)); }

}  // namespace

Vec3f lightDirection(double elevation_deg, double azimuth_deg)
{
    const double elevation = elevation_deg * pi / 180, azimuth = azimuth_deg * pi / 180;
    return Vec3d(std::cos(elevation) * std::sin(azimuth), std::sin(elevation), std::cos(elevation) * std::cos(azimuth))
        .cast<float>();
}

Vec3f Sun::sample(Vec2f u) const { return deflect(direction, 1 - u.x() * one_minus_cos_radius, u.y()); }

Vec3f Sun::radiance(const Vec3f& toward) const
{
    const float separation = 0.5f * (toward - direction).squaredNorm();  // 1 - cos of the angle between them
    if (separation > one_minus_cos_radius || one_minus_cos_radius <= 0) return Vec3f::Zero();
    return irradiance / (pif * one_minus_cos_radius * (2 - one_minus_cos_radius));  // pi sin^2 r
}

Lights::Lights(const std::vector<LightSpec>& specs)
{
    for (const LightSpec& spec : specs) {
        const Vec3f zenith = (spec.strength * spec.color).cast<float>();
        switch (spec.kind) {
            case LightKind::Sun:
                m_suns.push_back(makeSun(spec));
                break;
            case LightKind::Constant:
                m_constant += zenith;
                break;
            case LightKind::Sky:
                m_skies.push_back({zenith, (spec.strength * spec.horizon_color).cast<float>()});
                break;
        }
    }
    m_hasEnvironment = !m_skies.empty() || !m_constant.isZero(0);
    tabulate();
}

void Lights::tabulate()
{
    const float bandWidth = 2.0f / s_bands;
    for (int i = 0; i < s_bands; ++i) {
        const float y = -1 + (static_cast<float>(i) + 0.5f) * bandWidth;
        m_bandPdf[i] = brightness(environment(Vec3f(std::sqrt(1 - y * y), y, 0)));
        m_bandCdf[i + 1] = m_bandCdf[i] + m_bandPdf[i];
    }
    const float total = m_bandCdf[s_bands];
    for (int i = 0; i < s_bands; ++i) {
        m_bandPdf[i] = total > 0 ? m_bandPdf[i] / (total * 2 * pif * bandWidth) : 0;
        m_bandCdf[i + 1] = total > 0 ? m_bandCdf[i + 1] / total : 0;
    }
}

Vec3f Lights::environment(const Vec3f& direction) const
{
    Vec3f result = m_constant;
    for (const GradientSky& sky : m_skies) {
        result += sky.horizon + std::sqrt(std::max(0.0f, direction.y())) * (sky.zenith - sky.horizon);
    }
    return result;
}

Vec3f Lights::background(const Vec3f& direction) const
{
    Vec3f result = environment(direction);
    for (const Sun& sun : m_suns) result += sun.radiance(direction);
    return result;
}

EnvironmentSample Lights::sampleEnvironment(Vec2f u) const
{
    const auto above = std::upper_bound(m_bandCdf.begin() + 1, m_bandCdf.end() - 1, u.x());
    const auto band = static_cast<int>(above - m_bandCdf.begin()) - 1;
    const float within = (u.x() - m_bandCdf[band]) / (m_bandCdf[band + 1] - m_bandCdf[band]);
    const float y = std::clamp(-1 + (static_cast<float>(band) + within) * 2 / s_bands, -1.0f, 1.0f);
    const float r = std::sqrt(1 - y * y), phi = 2 * pif * u.y();
    return {Vec3f(r * std::cos(phi), y, r * std::sin(phi)), m_bandPdf[band]};
}

float Lights::environmentPdf(const Vec3f& direction) const
{
    const int band = static_cast<int>((direction.y() + 1) * 0.5f * s_bands);
    return m_bandPdf[std::clamp(band, 0, s_bands - 1)];
}

}  // namespace firn
