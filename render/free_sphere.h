#pragma once
// Avoids most intersection tests of a path through snow.

#include "render/surfaces.h"

namespace firn {

/// A sphere without surfaces around the latest vertices of a path: a ray that stays inside meets no surface.
class FreeSphere {
public:
    /// Whether the ray may meet a surface before tMax. Moves the sphere when the path leaves it.
    bool mayMeet(const Surfaces& surfaces, const Ray& ray, float tMax)
    {
        if (contains(ray.origin) && contains(ray.at(tMax))) return false;
        if (m_wait-- > 0) return true;
        m_center = ray.origin;
        m_radius = surfaces.clearance(ray.origin);
        if (contains(ray.at(tMax))) return false;
        m_wait = 8;  // near surfaces it costs more to ask for the clearance than it saves
        return true;
    }

private:
    /// False for points at infinity.
    bool contains(const Vec3f& point) const { return (point - m_center).squaredNorm() < m_radius * m_radius; }

    Vec3f m_center = Vec3f::Zero();
    float m_radius = 0;
    int m_wait = 0;
};

}  // namespace firn
