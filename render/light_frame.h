#pragma once
// What lamps in a plane have in common: a frame, and the density of points that are sampled evenly over their area.

#include "render/ray.h"

namespace firn {

/// A plane with a middle and a front. The axes have unit length.
struct LightFrame {
    Vec3f middle = Vec3f::Zero();
    Vec3f right = Vec3f::UnitX(), up = Vec3f::UnitY(), front = Vec3f::UnitZ();

    /// A light at `middle` that faces another point. `right` is perpendicular to `above`, a unit vector.
    static LightFrame facing(const Vec3f& middle, const Vec3f& point, const Vec3f& above = Vec3f::UnitY());

    bool isInFront(const Vec3f& point) const { return (point - middle).dot(front) > 0; }
    /// Distance along the ray to the plane's front; negative if the ray does not meet it.
    float distanceAlong(const Ray& ray) const;
};

/// Density per steradian of a direction that leads to a point of an area (m^2), chosen evenly, at a distance. `cosine`
/// is that at the light.
inline float densityOfArea(float area, float distance, float cosine) { return distance * distance / (area * cosine); }

}  // namespace firn
