#pragma once
// An infinite plane of constant height, in closed form. It is diffuse unless its material is changed.

#include "render/surfaces.h"

namespace firn::test {

struct PlaneSurface final : Surfaces {
    float height = 0;
    SurfaceMaterial material;
    Vec3f emission = Vec3f::Zero();
    bool is_holdout = false, catches_shadows = false;

    PlaneSurface(float y, const Vec3f& diffuse) : height(y), material{diffuse} {}

    bool intersect(const Ray& ray, float tMax, SurfaceHit& hit) const override
    {
        const float t = (height - ray.origin.y()) / ray.direction.y();
        if (!(t > 0 && t < tMax)) return false;
        hit = {t, Vec3f(0, ray.direction.y() < 0 ? 1.0f : -1.0f, 0), material, emission, is_holdout || catches_shadows};
        hit.catches_shadows = catches_shadows;
        return true;
    }
    bool occluded(const Ray& ray, float tMax) const override
    {
        SurfaceHit hit;
        return intersect(ray, tMax, hit);
    }
    bool catchShadows() const override { return catches_shadows; }
    float clearance(const Vec3f& point) const override { return std::abs(point.y() - height); }
};

}  // namespace firn::test
