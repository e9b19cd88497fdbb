#pragma once
// What the light transport needs to know of solid geometry: the nearest hit, occlusion, and how far the nearest surface
// is.

#include "render/ray.h"

namespace firn {

struct SurfaceHit {
    float t = 0;                     // metres along the ray
    Vec3f normal = Vec3f::UnitY();   // unit length, on the side of the ray's origin
    Vec3f albedo = Vec3f::Zero();    // diffuse, linear Rec. 709
    Vec3f emission = Vec3f::Zero();  // radiance that leaves the surface towards the ray's origin
};

/// Thread safe: all members are called from many threads at once.
class Surfaces {
public:
    virtual ~Surfaces() = default;

    /// Nearest hit with 0 < t < tMax; false leaves `hit` as it was. Rays that leave a surface start a little above it.
    virtual bool intersect(const Ray& ray, float tMax, SurfaceHit& hit) const = 0;

    /// Whether anything lies at 0 < t < tMax.
    virtual bool occluded(const Ray& ray, float tMax) const = 0;

    /// A lower bound of the distance from `point` to the nearest surface, metres. Paths inside a sphere of this radius
    /// need no intersection tests; 0 is always valid.
    virtual float clearance(const Vec3f& /*point*/) const { return 0; }
};

}  // namespace firn
