#pragma once
// Lights of the tests: an even sky, a sphere in space, and any light found by other rays than it asks for.

#include <cmath>
#include <memory>

#include "render/lights.h"
#include "render/phase.h"

namespace firn::test {

/// A sky of radiance 1 in all directions.
inline LightSpec constantSky()
{
    LightSpec light;
    light.kind = LightKind::Constant;
    return light;
}

/// A sphere of constant radiance. It is sampled uniformly in the solid angle of its cone, from points outside.
struct SphereLight final : Light {
    Vec3f center = Vec3f::Zero();
    float radius = 1;
    Vec3f emitted = Vec3f::Ones();
    FoundBy by = FoundBy::Both;

    SphereLight(const Vec3f& at, float r, const Vec3f& radiance, FoundBy foundBy)
        : center(at), radius(r), emitted(radiance), by(foundBy)
    {
    }

    FoundBy foundBy() const override { return by; }
    bool isAtInfinity() const override { return false; }

    LightSample sample(const Vec3f& from, Vec2f u) const override
    {
        const Vec3f axis = (center - from).normalized();
        const Vec3f direction = deflect(axis, 1 - u.x() * oneMinusCosOfCone(from), u.y());
        const Vec3f offset = center - from;
        const float along = offset.dot(direction);
        const float inside = std::max(0.0f, radius * radius - (offset - along * direction).squaredNorm());
        return {direction, along - std::sqrt(inside), emitted, solidAngle(from)};
    }
    float density(const Ray& ray) const override { return meets(ray, infinity) ? 1 / solidAngle(ray.origin) : 0; }
    Vec3f radiance(const Ray& ray, float tMax) const override
    {
        return meets(ray, tMax) ? emitted : Vec3f::Zero().eval();
    }

private:
    float oneMinusCosOfCone(const Vec3f& from) const
    {
        const float sine2 = radius * radius / (center - from).squaredNorm();
        return sine2 / (1 + std::sqrt(1 - sine2));
    }
    float solidAngle(const Vec3f& from) const { return static_cast<float>(2 * pi) * oneMinusCosOfCone(from); }
    bool meets(const Ray& ray, float tMax) const
    {
        const Vec3f offset = center - ray.origin;
        const float along = offset.dot(ray.direction);
        const float inside = radius * radius - (offset - along * ray.direction).squaredNorm();
        return inside > 0 && along > 0 && along - std::sqrt(inside) < tMax;
    }
};

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
    std::optional<Vec3f> mainDirection() const override { return light->mainDirection(); }
};

/// The same lights, all found by these rays.
inline Lights foundBy(const Lights& lights, FoundBy by)
{
    std::vector<std::shared_ptr<const Light>> result;
    for (const auto& light : lights.all()) result.push_back(std::make_shared<FoundOtherwise>(light, by));
    return Lights(result);
}

constexpr FoundBy allWays[] = {FoundBy::LightSampling, FoundBy::Scattering, FoundBy::Both};

}  // namespace firn::test
