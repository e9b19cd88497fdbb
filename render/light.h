#pragma once
// What the path loop asks of a light. A light may be at infinity or anywhere in space. It is found in two ways: by rays
// sampled towards it from a vertex, and by scattered rays that happen to meet it. A new kind of light is one class.

#include <optional>

#include "render/ray.h"
#include "render/sampler.h"

namespace firn {

/// Which rays may find a light. Both give the same mean where both can find it. Scattered rays alone are the least
/// noisy for a large smooth light such as the sky; rays sampled towards the light, for one that scattered rays would
/// hardly ever meet. Both together are weighted by the balance heuristic (Veach 1997).
enum class FoundBy { LightSampling, Scattering, Both };

/// One point of a light as seen from a vertex. irradiance * scale = radiance / density: what this point adds to the
/// irradiance of a plane that faces it. There are two factors because the disc of a sun may be infinitely small.
struct LightSample {
    Vec3f direction = Vec3f::UnitY();  // from the vertex towards the point, unit length
    float distance = infinity;         // metres to the point
    Vec3f irradiance = Vec3f::Zero();
    float scale = 0;
};

struct LightMiddle {
    Vec3f direction = Vec3f::UnitY();  // unit length
    float distance = infinity;         // m
};

/// Thread safe: many threads call all members at once.
class Light {
public:
    virtual ~Light() = default;

    virtual FoundBy foundBy() const = 0;

    /// A point of the light, chosen by two uniform numbers in [0, 1). A sample without light has scale 0.
    virtual LightSample sample(const Vec3f& from, Vec2f u) const = 0;

    /// Density, per steradian, with which sample() chooses the direction of the ray from the ray's origin.
    virtual float density(const Ray& ray) const = 0;

    /// Radiance that comes back along the ray from points of the light nearer than tMax. A light at infinity answers
    /// for tMax = infinity only. Lights do not stop rays.
    virtual Vec3f radiance(const Ray& ray, float tMax) const = 0;

    /// Whether the light is seen at infinity only.
    virtual bool isAtInfinity() const = 0;

    /// Whether camera rays see the light.
    virtual bool isVisible() const { return true; }

    /// Where most of the light comes from, as seen from a point, if it comes from nearly one direction.
    virtual std::optional<LightMiddle> middle(const Vec3f& /*from*/) const { return std::nullopt; }
};

}  // namespace firn
