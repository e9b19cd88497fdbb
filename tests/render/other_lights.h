#pragma once
// Lights of the tests: an even sky, a sphere of a radiance, and any light found by other rays than it asks for.

#include <memory>

#include "render/lights.h"
#include "render/phase.h"
#include "render/sphere_light.h"

namespace firn::test {

inline LightSpec light(LightKind kind, double strength = 1)
{
    LightSpec spec;
    spec.kind = kind;
    spec.strength = strength;
    return spec;
}

/// A sky of radiance 1 in all directions.
inline LightSpec constantSky() { return light(LightKind::Constant); }

/// Another light that is found by other rays.
struct FoundOtherwise final : Light {
    std::shared_ptr<const Light> light;
    FoundBy by = FoundBy::Both;

    FoundOtherwise(std::shared_ptr<const Light> which, FoundBy foundBy) : light(std::move(which)), by(foundBy) {}

    FoundBy foundBy() const override { return by; }
    LightSample sample(const Vec3f& from, Vec2f u) const override { return light->sample(from, u); }
    float density(const Ray& ray) const override { return light->density(ray); }
    Vec3f radiance(const Ray& ray, float tMax) const override { return light->radiance(ray, tMax); }
    bool isAtInfinity() const override { return light->isAtInfinity(); }
    std::optional<LightMiddle> middle(const Vec3f& from) const override { return light->middle(from); }
};

inline std::shared_ptr<const Light> sphereOf(const Vec3f& center, float radius, const Vec3f& radiance, FoundBy by)
{
    return std::make_shared<FoundOtherwise>(
        std::make_shared<SphereLight>(center, radius, pif * radius * radius * radiance, true), by);
}

/// The same lights, all found by these rays.
inline Lights foundBy(const Lights& lights, FoundBy by)
{
    std::vector<std::shared_ptr<const Light>> result;
    for (const auto& light : lights.all()) result.push_back(std::make_shared<FoundOtherwise>(light, by));
    return Lights(result);
}

inline Vec3f uniformDirection(Sampler& sampler)
{
    const Vec2f u = sampler.uniform2();
    return deflect(Vec3f::UnitY(), 2 * u.x() - 1, u.y());
}

constexpr FoundBy allWays[] = {FoundBy::LightSampling, FoundBy::Scattering, FoundBy::Both};

}  // namespace firn::test
