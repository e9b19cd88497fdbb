#pragma once
// What light transport asks of solid geometry: the nearest hit, occlusion, and the distance to the nearest surface.

#include <cstdint>

#include "render/principled.h"
#include "render/ray.h"

namespace firn {

struct SurfaceHit {
    float t = 0;                    // metres along the ray
    Vec3f normal = Vec3f::UnitY();  // unit length, on the side of the ray's origin
    SurfaceMaterial material;
    Vec3f emission = Vec3f::Zero();  // radiance that leaves the surface towards the ray's origin
    bool is_holdout = false;         // the camera sees a hole of the picture there
    std::uint32_t matte = 0;         // matteId() of the body's name
    bool catches_shadows = false;    // a holdout whose shadows are a layer of the picture
};

/// Thread safe: many threads call all members at once.
class Surfaces {
public:
    virtual ~Surfaces() = default;

    /// The nearest hit with 0 < t < tMax. Without one, returns false and leaves `hit` unchanged. A ray that leaves a
    /// surface starts a little above it.
    virtual bool intersect(const Ray& ray, float tMax, SurfaceHit& hit) const = 0;

    /// Whether there is a hit with 0 < t < tMax.
    virtual bool occluded(const Ray& ray, float tMax) const = 0;

    /// Whether any surface may give off light.
    virtual bool emits() const { return false; }

    /// Whether any surface catches shadows.
    virtual bool catchShadows() const { return false; }

    /// A lower bound of the distance (m) from `point` to the nearest surface. Paths inside a sphere of this radius need
    /// no intersection tests. 0 is always valid.
    virtual float clearance(const Vec3f& /*point*/) const { return 0; }
};

}  // namespace firn
