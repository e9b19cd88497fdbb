#include "render/mapped_sky.h"

namespace firn {

namespace {

LightSample sampleOf(const ChosenDirection& chosen, const Vec3f& radiance)
{
    return {chosen.direction, infinity, radiance, 1 / chosen.density};
}

}  // namespace

LightSample SoftSky::sample(const Vec3f&, Vec2f u) const
{
    const ChosenDirection chosen = m_map->sampleSoft(u.x(), u.y());
    return sampleOf(chosen, m_color.cwiseProduct(m_map->soft(chosen.direction)));
}

Vec3f SoftSky::radiance(const Ray& ray, float tMax) const
{
    return tMax < infinity ? Vec3f::Zero().eval() : Vec3f(m_color.cwiseProduct(m_map->soft(ray.direction)));
}

BrightSky::BrightSky(std::shared_ptr<const SkyMap> map, const Vec3f& color, bool isVisible)
    : m_map(std::move(map)), m_color(color), m_mean(m_map->brightMean()), m_isVisible(isVisible)
{
}

LightSample BrightSky::sample(const Vec3f&, Vec2f u) const
{
    const ChosenDirection chosen = m_map->sampleBright(u.x(), u.y());
    return sampleOf(chosen, m_color.cwiseProduct(m_map->bright(chosen.direction)));
}

Vec3f BrightSky::radiance(const Ray& ray, float tMax) const
{
    return tMax < infinity ? Vec3f::Zero().eval() : Vec3f(m_color.cwiseProduct(m_map->bright(ray.direction)));
}

std::optional<LightMiddle> BrightSky::middle(const Vec3f&) const
{
    constexpr float concentrated = 0.985f;
    if (m_mean.norm() < concentrated) return std::nullopt;
    return LightMiddle{m_mean.normalized(), infinity};
}

}  // namespace firn
