#include "render/mapped_sky.h"

#include <utility>

namespace firn {

MappedSky::MappedSky(std::shared_ptr<const SkyMap> map, SkyPart part, const Vec3f& color, bool isVisible)
    : m_map(std::move(map)), m_part(part), m_color(color), m_mean(m_map->mean(part)), m_isVisible(isVisible)
{
}

LightSample MappedSky::sample(const Vec3f&, Vec2f u) const
{
    const ChosenDirection chosen = m_map->sample(m_part, u.x(), u.y());
    const Vec3f radiance = m_color.cwiseProduct(m_map->radiance(m_part, chosen.direction));
    return {chosen.direction, infinity, radiance, 1 / chosen.density};
}

Vec3f MappedSky::radiance(const Ray& ray, float tMax) const
{
    if (tMax < infinity) return Vec3f::Zero();
    return m_color.cwiseProduct(m_map->radiance(m_part, ray.direction));
}

std::optional<LightMiddle> MappedSky::middle(const Vec3f&) const
{
    constexpr float concentrated = 0.985f;
    if (m_mean.norm() < concentrated) return std::nullopt;
    return LightMiddle{m_mean.normalized(), infinity};
}

}  // namespace firn
