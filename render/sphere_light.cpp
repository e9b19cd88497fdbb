#include "render/sphere_light.h"

#include <algorithm>
#include <cmath>

#include "render/phase.h"

namespace firn {

SphereLight::SphereLight(const Vec3f& center, float radius, const Vec3f& irradiance, bool isVisible)
    : Lamp(center, isVisible),
      m_radius(radius),
      m_intensity(irradiance),
      m_radiance(radius > 0 ? Vec3f(irradiance / (pif * radius * radius)) : Vec3f::Zero().eval())
{
}

float SphereLight::oneMinusCosOfCone(const Vec3f& from) const
{
    const float sine2 = std::min(1.0f, m_radius * m_radius / (center() - from).squaredNorm());
    return sine2 / (1 + std::sqrt(1 - sine2));
}

float SphereLight::distanceAlong(const Ray& ray) const
{
    const Vec3f offset = center() - ray.origin;
    const float along = offset.dot(ray.direction);
    const float half2 = m_radius * m_radius - (offset - along * ray.direction).squaredNorm();
    return half2 > 0 ? along - std::sqrt(half2) : -1;
}

LightSample SphereLight::sample(const Vec3f& from, Vec2f u) const
{
    const Vec3f offset = center() - from;
    const float distance = offset.norm();
    if (!isOutside(from) || distance <= 0) return {};
    const Vec3f axis = offset / distance;
    if (m_radius <= 0) return {axis, distance, m_intensity / (distance * distance), 1};
    const float oneMinusCos = oneMinusCosOfCone(from);
    const Vec3f direction = deflect(axis, 1 - u.x() * oneMinusCos, u.y());
    const float entry = distanceAlong({from, direction});  // rounding may miss the sphere at its edge
    return {direction, entry > 0 ? entry : offset.dot(direction), m_radiance, 2 * pif * oneMinusCos};
}

float SphereLight::density(const Ray& ray) const
{
    return isOutside(ray.origin) && distanceAlong(ray) > 0 ? 1 / (2 * pif * oneMinusCosOfCone(ray.origin)) : 0;
}

Vec3f SphereLight::radiance(const Ray& ray, float tMax) const
{
    const float t = distanceAlong(ray);
    return t > 0 && t < tMax ? m_radiance : Vec3f::Zero().eval();
}

}  // namespace firn
