#pragma once
// The sum of constant and gradient skies, as one light at infinity. It is smooth, so scattered rays alone find it.

#include <array>
#include <vector>

#include "common/scene/scene.h"
#include "render/light.h"

namespace firn {

class Sky final : public Light {
public:
    explicit Sky(bool isVisible = true) : m_isVisible(isVisible) {}

    /// Adds a light of kind Constant or Sky.
    void add(const LightSpec& spec);

    /// Radiance that comes from a direction.
    Vec3f radiance(const Vec3f& direction) const;

    FoundBy foundBy() const override { return FoundBy::Scattering; }
    /// Density proportional to the sky's brightness at the elevation of the direction.
    LightSample sample(const Vec3f& from, Vec2f u) const override;
    float density(const Ray& ray) const override;
    Vec3f radiance(const Ray& ray, float tMax) const override;
    bool isAtInfinity() const override { return true; }
    bool isVisible() const override { return m_isVisible; }

private:
    static constexpr int bandCount = 32;  // of equal solid angle, from nadir to zenith

    struct GradientSky {
        Vec3f zenith;
        Vec3f horizon;  // at and below the horizon
    };

    void tabulate();

    bool m_isVisible;
    std::vector<GradientSky> m_skies;
    Vec3f m_constant = Vec3f::Zero();
    std::array<float, bandCount> m_bandDensity{};  // per steradian
    std::array<float, bandCount + 1> m_bandCdf{};
};

}  // namespace firn
