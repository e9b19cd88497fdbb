#include "render/sky.h"

#include <algorithm>
#include <cmath>

#include "common/image/luminance.h"
#include "render/light_color.h"

namespace firn {

void Sky::add(const LightSpec& spec)
{
    const Vec3f zenith = lightColor(spec).cast<float>();
    if (spec.kind == LightKind::Constant) {
        m_constant += zenith;
    } else {
        LightSpec horizon = spec;
        horizon.color = spec.horizon_color;
        m_skies.push_back({zenith, lightColor(horizon).cast<float>()});
    }
    tabulate();
}

void Sky::tabulate()
{
    const float bandWidth = 2.0f / bandCount;
    for (int i = 0; i < bandCount; ++i) {
        const float y = -1 + (static_cast<float>(i) + 0.5f) * bandWidth;
        const Vec3f color = radiance(Vec3f(std::sqrt(1 - y * y), y, 0));
        m_bandDensity[i] = luminance(color);
        m_bandCdf[i + 1] = m_bandCdf[i] + m_bandDensity[i];
    }
    const float total = m_bandCdf[bandCount];
    for (int i = 0; i < bandCount; ++i) {
        m_bandDensity[i] = total > 0 ? m_bandDensity[i] / (total * 2 * pif * bandWidth) : 0;
        m_bandCdf[i + 1] = total > 0 ? m_bandCdf[i + 1] / total : 0;
    }
}

Vec3f Sky::radiance(const Vec3f& direction) const
{
    Vec3f result = m_constant;
    for (const GradientSky& sky : m_skies) {
        result += sky.horizon + std::sqrt(std::max(0.0f, direction.y())) * (sky.zenith - sky.horizon);
    }
    return result;
}

Vec3f Sky::radiance(const Ray& ray, float tMax) const
{
    return tMax < infinity ? Vec3f::Zero().eval() : radiance(ray.direction);
}

LightSample Sky::sample(const Vec3f&, Vec2f u) const
{
    const auto above = std::upper_bound(m_bandCdf.begin() + 1, m_bandCdf.end() - 1, u.x());
    const auto band = static_cast<int>(above - m_bandCdf.begin()) - 1;
    if (m_bandDensity[band] <= 0) return {};  // a sky without light
    const float within = (u.x() - m_bandCdf[band]) / (m_bandCdf[band + 1] - m_bandCdf[band]);
    const float y = std::clamp(-1 + (static_cast<float>(band) + within) * 2 / bandCount, -1.0f, 1.0f);
    const float r = std::sqrt(1 - y * y), phi = 2 * pif * u.y();
    const Vec3f direction(r * std::cos(phi), y, r * std::sin(phi));
    return {direction, infinity, radiance(direction), 1 / m_bandDensity[band]};
}

float Sky::density(const Ray& ray) const
{
    const int band = static_cast<int>((ray.direction.y() + 1) * 0.5f * bandCount);
    return m_bandDensity[std::clamp(band, 0, bandCount - 1)];
}

}  // namespace firn
