#include "render/rectangle_light.h"

#include <algorithm>
#include <cmath>

namespace firn {

RectangleLight::RectangleLight(const LightFrame& frame, float width, float height, const Vec3f& irradiance,
                               bool isVisible)
    : Lamp(frame.middle, isVisible),
      m_frame(frame),
      m_width(width),
      m_height(height),
      m_radiance(irradiance / (width * height))
{
}

/// Sections 3 and 4 of the paper: the solid angle is the sum of the inner angles minus 2 pi.
RectangleLight::Seen RectangleLight::seenFrom(const Vec3f& point) const
{
    const Vec3f offset = m_frame.middle - point;
    Seen s{};
    s.x0 = offset.dot(m_frame.right) - 0.5f * m_width;
    s.x1 = s.x0 + m_width;
    s.y0 = offset.dot(m_frame.up) - 0.5f * m_height;
    s.y1 = s.y0 + m_height;
    s.z0 = offset.dot(m_frame.front);  // negative in front of the light
    // z components of the normals of the planes through the point and each edge
    const auto normalZ = [&](float edge) { return edge / std::sqrt(s.z0 * s.z0 + edge * edge); };
    const float n0 = -normalZ(s.y0), n1 = normalZ(s.x1), n2 = normalZ(s.y1), n3 = -normalZ(s.x0);
    const auto angle = [](float a, float b) { return std::acos(std::clamp(-a * b, -1.0f, 1.0f)); };
    const float g2 = angle(n2, n3), g3 = angle(n3, n0);
    s.b0 = n0;
    s.b1 = n2;
    s.k = 2 * pif - g2 - g3;
    s.solid_angle = angle(n0, n1) + angle(n1, n2) - s.k;
    return s;
}

/// Whether the solid angle is large enough to be sampled: rounding would spoil a small one.
bool RectangleLight::isNear(const Seen& seen) const
{
    constexpr float smallest = 0.05f;
    return seen.solid_angle > smallest;
}

/// Relative to the point from which the rectangle is seen, in the world's axes. Section 4.2 of the paper.
Vec3f RectangleLight::pointOf(const Seen& s, Vec2f u) const
{
    constexpr float mostOfOne = 0.9999999f;
    const float au = u.x() * s.solid_angle + s.k;
    const float fu = (std::cos(au) * s.b0 - s.b1) / std::sin(au);
    const float cu = std::clamp((fu > 0 ? 1.0f : -1.0f) / std::sqrt(fu * fu + s.b0 * s.b0), -1.0f, 1.0f);
    const float x = std::clamp(-(cu * s.z0) / std::max(std::sqrt(std::max(0.0f, 1 - cu * cu)), 1e-7f), s.x0, s.x1);
    const float d2 = x * x + s.z0 * s.z0;
    const float h0 = s.y0 / std::sqrt(d2 + s.y0 * s.y0), h1 = s.y1 / std::sqrt(d2 + s.y1 * s.y1);
    const float h = h0 + u.y() * (h1 - h0), h2 = h * h;
    const float y = h2 < mostOfOne ? std::clamp(h * std::sqrt(d2) / std::sqrt(1 - h2), s.y0, s.y1) : s.y1;
    return x * m_frame.right + y * m_frame.up + s.z0 * m_frame.front;
}

LightSample RectangleLight::sample(const Vec3f& from, Vec2f u) const
{
    if (!m_frame.isInFront(from)) return {};
    const Seen seen = seenFrom(from);
    if (isNear(seen)) {
        const Vec3f offset = pointOf(seen, u);
        const float distance = offset.norm();
        return {offset / distance, distance, m_radiance, seen.solid_angle};
    }
    const Vec3f point =
        m_frame.middle + (u.x() - 0.5f) * m_width * m_frame.right + (u.y() - 0.5f) * m_height * m_frame.up;
    const Vec3f offset = point - from;
    const float distance = offset.norm();
    const Vec3f direction = offset / distance;
    const float cosine = -direction.dot(m_frame.front);
    if (cosine <= 0) return {};
    return {direction, distance, m_radiance, 1 / densityOfArea(m_width * m_height, distance, cosine)};
}

bool RectangleLight::covers(const Vec3f& point) const
{
    const Vec3f offset = point - m_frame.middle;
    return std::abs(offset.dot(m_frame.right)) <= 0.5f * m_width && std::abs(offset.dot(m_frame.up)) <= 0.5f * m_height;
}

float RectangleLight::density(const Ray& ray) const
{
    const float t = m_frame.distanceAlong(ray);
    if (!(t > 0) || !covers(ray.at(t))) return 0;
    const Seen seen = seenFrom(ray.origin);
    if (isNear(seen)) return 1 / seen.solid_angle;
    return densityOfArea(m_width * m_height, t, -m_frame.front.dot(ray.direction));
}

Vec3f RectangleLight::radiance(const Ray& ray, float tMax) const
{
    const float t = m_frame.distanceAlong(ray);
    return t > 0 && t < tMax && covers(ray.at(t)) ? m_radiance : Vec3f::Zero().eval();
}

}  // namespace firn
