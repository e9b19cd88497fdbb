#pragma once
// A rectangle that shines to one side with the same radiance in all directions.

#include "render/lamp.h"
#include "render/light_frame.h"

namespace firn {

class RectangleLight final : public Lamp {
public:
    /// `irradiance`: on a surface that faces the light at a distance of 1 m, if the light were small. Lengths in m,
    /// along the frame's `right` and `up`.
    RectangleLight(const LightFrame& frame, float width, float height, const Vec3f& irradiance, bool isVisible);

    FoundBy foundBy() const override { return FoundBy::Both; }
    /// Uniform in the solid angle of the rectangle (Urena, Fajardo and King 2013, An Area-Preserving Parametrization
    /// for Spherical Rectangles); from far away, uniform over its area. Points behind it get no light.
    LightSample sample(const Vec3f& from, Vec2f u) const override;
    float density(const Ray& ray) const override;
    Vec3f radiance(const Ray& ray, float tMax) const override;

private:
    /// The rectangle as seen from a point, in the light's frame with the origin at the point. The plane is at z = -z0.
    struct Seen {
        float x0, x1, y0, y1, z0;
        float b0, b1, k, solid_angle;  // names of the paper
    };
    Seen seenFrom(const Vec3f& point) const;
    Vec3f pointOf(const Seen& seen, Vec2f u) const;
    bool isNear(const Seen& seen) const;
    bool covers(const Vec3f& point) const;

    LightFrame m_frame;
    float m_width, m_height;
    Vec3f m_radiance;
};

}  // namespace firn
