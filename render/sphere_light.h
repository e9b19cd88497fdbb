#pragma once
// A sphere that shines evenly to the outside, or a point.

#include "render/lamp.h"

namespace firn {

class SphereLight final : public Lamp {
public:
    /// `irradiance`: on a surface that faces the light at a distance of 1 m, if the light were small. Radius in m.
    SphereLight(const Vec3f& center, float radius, const Vec3f& irradiance, bool isVisible);

    FoundBy foundBy() const override { return m_radius > 0 ? FoundBy::Both : FoundBy::LightSampling; }
    /// Uniform in the solid angle of the sphere. Points inside get no light.
    LightSample sample(const Vec3f& from, Vec2f u) const override;
    float density(const Ray& ray) const override;
    Vec3f radiance(const Ray& ray, float tMax) const override;

private:
    /// 1 - cos of the angular radius, as seen from outside.
    float oneMinusCosOfCone(const Vec3f& from) const;
    bool isOutside(const Vec3f& point) const { return (center() - point).squaredNorm() > m_radius * m_radius; }
    /// Distance along the ray to where it enters the sphere; negative if it does not.
    float distanceAlong(const Ray& ray) const;

    float m_radius;
    Vec3f m_intensity;  // W/sr
    Vec3f m_radiance;   // zero for a point
};

}  // namespace firn
