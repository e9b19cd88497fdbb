#pragma once
// The two parts of a picture of all directions (render/sky/sky_map.h) as lights. Scattered rays find the soft part,
// light sampling the bright one.

#include <memory>
#include <utility>

#include "render/light.h"
#include "render/sky/sky_map.h"

namespace firn {

class SoftSky final : public Light {
public:
    /// `color` is a factor on the map. The map must have a soft part.
    SoftSky(std::shared_ptr<const SkyMap> map, const Vec3f& color, bool isVisible)
        : m_map(std::move(map)), m_color(color), m_isVisible(isVisible)
    {
    }

    FoundBy foundBy() const override { return FoundBy::Scattering; }
    LightSample sample(const Vec3f& from, Vec2f u) const override;
    float density(const Ray& ray) const override { return m_map->softDensity(ray.direction); }
    Vec3f radiance(const Ray& ray, float tMax) const override;
    bool isAtInfinity() const override { return true; }
    bool isVisible() const override { return m_isVisible; }

private:
    std::shared_ptr<const SkyMap> m_map;
    Vec3f m_color;
    bool m_isVisible;
};

class BrightSky final : public Light {
public:
    /// The map must have a bright part.
    BrightSky(std::shared_ptr<const SkyMap> map, const Vec3f& color, bool isVisible);

    FoundBy foundBy() const override { return FoundBy::LightSampling; }
    LightSample sample(const Vec3f& from, Vec2f u) const override;
    float density(const Ray& ray) const override { return m_map->brightDensity(ray.direction); }
    Vec3f radiance(const Ray& ray, float tMax) const override;
    bool isAtInfinity() const override { return true; }
    bool isVisible() const override { return m_isVisible; }
    /// Where nearly all of the light is within some 10 degrees.
    std::optional<LightMiddle> middle(const Vec3f& from) const override;

private:
    std::shared_ptr<const SkyMap> m_map;
    Vec3f m_color, m_mean;
    bool m_isVisible;
};

}  // namespace firn
