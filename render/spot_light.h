#pragma once
// A spot: a disk, or a point, that shines in a cone.

#include "render/lamp.h"
#include "render/light_frame.h"

namespace firn {

struct Cone {
    float half_angle = 0.5f;  // rad
    float soft_edge = 0.3f;   // share of it over which light fades

    /// The share of light in a direction with this cosine to the axis: 1 in the middle, 0 outside.
    float share(float cosine) const;
};

/// The intensity of the disk depends on the angle to its axis as Cone::share, like that of a reflector lamp.
class SpotLight final : public Lamp {
public:
    /// `irradiance`: on a surface that faces the light in the middle of its cone, at a distance of 1 m, if the light
    /// were small. Radius in m.
    SpotLight(const LightFrame& frame, float radius, const Cone& cone, const Vec3f& irradiance, bool isVisible);

    FoundBy foundBy() const override { return m_radius > 0 ? FoundBy::Both : FoundBy::LightSampling; }
    /// Uniform over the area of the disk.
    LightSample sample(const Vec3f& from, Vec2f u) const override;
    float density(const Ray& ray) const override;
    Vec3f radiance(const Ray& ray, float tMax) const override;

private:
    float area() const { return pif * m_radius * m_radius; }
    bool isMet(const Ray& ray, float t) const;

    LightFrame m_frame;
    float m_radius;
    Cone m_cone;
    Vec3f m_intensity;  // W/sr in the middle of the cone
};

}  // namespace firn
