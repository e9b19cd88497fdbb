#include "render/playblast/eye.h"

namespace firn {

PinholeEye::PinholeEye(const PlacedCamera& camera)
    : m_position(camera.position().cast<float>()), m_scale(static_cast<float>(1 / camera.pixelAt(1)))
{
    const auto at = [&](float x, float y) {
        const Vec3f direction = camera.ray(x, y).direction;
        return Vec3f(direction / direction.dot(camera.axis().cast<float>()));
    };
    // Far from one another, because directions are rounded.
    const float width = camera.width(), height = camera.height();
    const Vec3f corner = at(0, 0);
    m_toWorld.col(0) = (at(width, 0) - corner) / width;
    m_toWorld.col(1) = (at(0, height) - corner) / height;
    m_toWorld.col(2) = corner;
    m_toPicture = m_toWorld.inverse();
}

SunEye::SunEye(const Vec3f& direction, const Vec3f& middle_m, float radius_m, int size)
    : m_middle(middle_m),
      m_radius(radius_m),
      m_scale(static_cast<float>(size) / (2 * radius_m)),
      m_half(static_cast<float>(size) / 2)
{
    const Vec3f across = std::abs(direction.y()) < 0.9f ? Vec3f::UnitY() : Vec3f::UnitX();
    const Vec3f right = across.cross(direction).normalized();
    m_axes << right.transpose(), direction.cross(right).transpose(), direction.transpose();
}

DrawnPoint SunEye::drawn(const Vec3f& point_m) const
{
    const Vec3f seen = m_axes * (point_m - m_middle);
    return {m_half + m_scale * seen.x(), m_half + m_scale * seen.y(), 1 + m_radius + seen.z()};
}

}  // namespace firn
