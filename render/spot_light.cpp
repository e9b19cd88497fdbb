#include "render/spot_light.h"

#include <algorithm>
#include <cmath>

namespace firn {

float Cone::share(float cosine) const
{
    const float angle = std::acos(std::clamp(cosine, -1.0f, 1.0f)), inner = half_angle * (1 - soft_edge);
    if (angle >= half_angle) return 0;
    if (angle <= inner) return 1;
    const float u = (half_angle - angle) / (half_angle - inner);
    return u * u * (3 - 2 * u);
}

SpotLight::SpotLight(const LightFrame& frame, float radius, const Cone& cone, const Vec3f& irradiance, bool isVisible)
    : Lamp(frame.middle, isVisible), m_frame(frame), m_radius(radius), m_cone(cone), m_intensity(irradiance)
{
}

LightSample SpotLight::sample(const Vec3f& from, Vec2f u) const
{
    const float r = m_radius * std::sqrt(u.x()), phi = 2 * pif * u.y();
    const Vec3f point = m_frame.middle + r * (std::cos(phi) * m_frame.right + std::sin(phi) * m_frame.up);
    const Vec3f offset = point - from;
    const float distance = offset.norm();
    if (distance <= 0) return {};
    const Vec3f direction = offset / distance;
    const float share = m_cone.share(-direction.dot(m_frame.front));
    if (share <= 0) return {};
    return {direction, distance, m_intensity * (share / (distance * distance)), 1};
}

bool SpotLight::isMet(const Ray& ray, float t) const
{
    return t > 0 && (ray.at(t) - m_frame.middle).squaredNorm() < m_radius * m_radius;
}

float SpotLight::density(const Ray& ray) const
{
    const float t = m_frame.distanceAlong(ray), cosine = -m_frame.front.dot(ray.direction);
    return isMet(ray, t) && m_cone.share(cosine) > 0 ? densityOfArea(area(), t, cosine) : 0;
}

Vec3f SpotLight::radiance(const Ray& ray, float tMax) const
{
    const float t = m_frame.distanceAlong(ray), cosine = -m_frame.front.dot(ray.direction);
    if (!isMet(ray, t) || t >= tMax) return Vec3f::Zero();
    return m_intensity * (m_cone.share(cosine) / (area() * cosine));
}

}  // namespace firn
