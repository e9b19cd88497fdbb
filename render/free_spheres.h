#pragma once
// Avoids most intersection tests of paths through snow.

#include "render/lanes.h"
#include "render/surfaces.h"

namespace firn {

/// For each path, a sphere without surfaces around its latest vertices: a ray that stays inside meets no surface.
class FreeSpheres {
public:
    explicit FreeSpheres(int size) : m_center(size), m_squaredRadius(size), m_wait(size) {}

    void reset(int path)
    {
        m_squaredRadius[path] = 0;
        m_wait[path] = 0;
    }

    void move(int from, int to)
    {
        m_center.set(to, m_center[from]);
        m_squaredRadius[to] = m_squaredRadius[from];
        m_wait[to] = m_wait[from];
    }

    /// Of the paths from `first` on, the lanes whose points lie inside. False for points at infinity.
    LaneBits contain(int first, Floats x, Floats y, Floats z) const
    {
        const Floats dx = x - m_center.x.lanes(first), dy = y - m_center.y.lanes(first),
                     dz = z - m_center.z.lanes(first);
        return bitsOf(dx * dx + dy * dy + dz * dz < m_squaredRadius.lanes(first));
    }

    /// Whether the ray of a path that leaves its sphere may meet a surface before tMax. Moves the sphere.
    bool mayMeet(int path, const Surfaces& surfaces, const Ray& ray, float tMax)
    {
        constexpr int patience = 8;  // near surfaces it costs more to ask for the clearance than it saves
        if (m_wait[path]-- > 0) return true;
        const float radius = surfaces.clearance(ray.origin);
        m_center.set(path, ray.origin);
        m_squaredRadius[path] = radius * radius;
        if (tMax < radius) return false;
        m_wait[path] = patience;
        return true;
    }

private:
    VectorColumn m_center;
    Column<float> m_squaredRadius;
    Column<std::int32_t> m_wait;  // rays for which the clearance is not asked
};

}  // namespace firn
