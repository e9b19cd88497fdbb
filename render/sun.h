#pragma once
// A sun: a disc at infinity of constant radiance. Light sampling alone finds it, because a scattered ray would meet a
// disc of half a degree once in 200000 tries. Camera rays see it.

#include "common/scene/scene.h"
#include "render/light.h"

namespace firn {

class Sun final : public Light {
public:
    explicit Sun(const LightSpec& spec);
    /// A sun at the place of the spec's, with this irradiance on a surface that faces it.
    Sun(const LightSpec& spec, const Vec3f& irradiance);

    /// Towards the centre of the disc, unit length.
    const Vec3f& direction() const { return m_direction; }

    FoundBy foundBy() const override { return FoundBy::LightSampling; }
    /// Uniform in solid angle over the disc.
    LightSample sample(const Vec3f& from, Vec2f u) const override;
    float density(const Ray& ray) const override;
    /// Inside the disc, the irradiance over the disc's projected solid angle.
    Vec3f radiance(const Ray& ray, float tMax) const override;
    bool isAtInfinity() const override { return true; }
    bool isVisible() const override { return m_isVisible; }
    std::optional<LightMiddle> middle(const Vec3f&) const override { return LightMiddle{m_direction, infinity}; }

private:
    bool covers(const Vec3f& direction) const;

    Vec3f m_direction;
    Vec3f m_irradiance;         // on a surface that faces the whole disc
    float m_oneMinusCosRadius;  // of the disc's angular radius
    bool m_isVisible;
};

/// Towards a light at the given elevation above the horizon and azimuth from +z towards +x.
Vec3f lightDirection(double elevation_deg, double azimuth_deg);

}  // namespace firn
