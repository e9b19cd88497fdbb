#pragma once
// A part of a picture of all directions (render/sky/sky_map.h) as a light. Scattered rays find the soft part, light
// sampling the bright one.

#include <memory>

#include "render/light.h"
#include "render/sky/sky_map.h"

namespace firn {

class MappedSky final : public Light {
public:
    /// The map must have the part. `color` is a factor on it.
    MappedSky(std::shared_ptr<const SkyMap> map, SkyPart part, const Vec3f& color, bool isVisible);

    FoundBy foundBy() const override { return m_part == SkyPart::Soft ? FoundBy::Scattering : FoundBy::LightSampling; }
    LightSample sample(const Vec3f& from, Vec2f u) const override;
    float density(const Ray& ray) const override { return m_map->density(m_part, ray.direction); }
    Vec3f radiance(const Ray& ray, float tMax) const override;
    bool isAtInfinity() const override { return true; }
    bool isVisible() const override { return m_isVisible; }
    /// Where nearly all of the light is within some 10 degrees.
    std::optional<LightMiddle> middle(const Vec3f& from) const override;

private:
    std::shared_ptr<const SkyMap> m_map;
    SkyPart m_part;
    Vec3f m_color, m_mean;
    bool m_isVisible;
};

}  // namespace firn
