#include "render/sun.h"

#include <cmath>

#include "common/scene/sun_position.h"
#include "render/light_color.h"
#include "render/phase.h"

namespace firn {
namespace {

/// 1 - cos r = 2 sin^2(r/2), without cancellation.
float oneMinusCos(double angle)
{
    const double half = std::sin(angle / 2);
    return static_cast<float>(2 * half * half);
}

}  // namespace

Vec3f lightDirection(double elevation_deg, double azimuth_deg)
{
    return directionOf({elevation_deg, azimuth_deg}).cast<float>();
}

Sun::Sun(const LightSpec& spec) : Sun(spec, lightColor(spec).cast<float>()) {}

Sun::Sun(const LightSpec& spec, const Vec3f& irradiance)
    : m_direction(directionOf(sunAngles(spec)).cast<float>()),
      m_irradiance(irradiance),
      m_oneMinusCosRadius(oneMinusCos(spec.angular_diameter_deg / 2 * pi / 180)),
      m_isVisible(spec.visible)
{
}

LightSample Sun::sample(const Vec3f&, Vec2f u) const
{
    // irradiance / (pi sin^2 r) times the disc's solid angle 2 pi (1 - cos r)
    const float scale = 2 / (2 - m_oneMinusCosRadius);
    return {deflect(m_direction, 1 - u.x() * m_oneMinusCosRadius, u.y()), infinity, m_irradiance, scale};
}

bool Sun::covers(const Vec3f& direction) const
{
    const float separation = 0.5f * (direction - m_direction).squaredNorm();  // 1 - cos of the angle between them
    return m_oneMinusCosRadius > 0 && separation <= m_oneMinusCosRadius;
}

float Sun::density(const Ray& ray) const { return covers(ray.direction) ? 1 / (2 * pif * m_oneMinusCosRadius) : 0; }

Vec3f Sun::radiance(const Ray& ray, float tMax) const
{
    if (tMax < infinity || !covers(ray.direction)) return Vec3f::Zero();
    return m_irradiance / (pif * m_oneMinusCosRadius * (2 - m_oneMinusCosRadius));  // pi sin^2 r
}

}  // namespace firn
