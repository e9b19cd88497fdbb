#pragma once
// A ray through a volume: optical depths, the part inside a box, and the walk from block to block.

#include <cmath>

#include "render/sampler.h"
#include "render/volume.h"

namespace firn {

/// Optical depth from one collision to the next, exponentially distributed with mean 1; u is uniform in [0, 1).
inline float sampleOpticalDepth(float u) { return -std::log(1 - u); }

/// A part of a ray; empty if t0 >= t1.
struct RayInterval {
    float t0, t1;
};

/// The part of the ray within a box and before tMax.
inline RayInterval clip(const Ray& ray, const Vec3f& min, const Vec3f& max, float tMax)
{
    RayInterval inside{0, tMax};
    for (int axis = 0; axis < 3; ++axis) {
        const float inverse = 1 / ray.direction[axis];
        const float a = (min[axis] - ray.origin[axis]) * inverse, b = (max[axis] - ray.origin[axis]) * inverse;
        // Comparisons with NaN (a ray within a face's plane) are false and change nothing.
        const float near = a < b ? a : b, far = a < b ? b : a;
        if (near > inside.t0) inside.t0 = near;
        if (far < inside.t1) inside.t1 = far;
    }
    return inside;
}

/// Walks along a ray in index space from block to block.
class BlockWalk {
public:
    BlockWalk(const Bricks& bricks, const Ray& ray, float tMax)
        : m_bricks(bricks), m_origin(float4(ray.origin, -1)), m_direction(float4(ray.direction, 0)), m_tMax(tMax)
    {
        constexpr float tiny = 1e-12f;  // keeps distances to borders finite
        const Float4 size = m_direction < 0 ? -m_direction : m_direction;
        m_inverse = 1 / (size < tiny ? float4(tiny) : m_direction);  // of the fourth lane: never the nearest border
        m_positive = m_inverse > 0;
        m_min = int4(bricks.cell_min, 0);
        m_max = int4(bricks.cell_max, 1);
        m_inside = tMax > 0;
        if (anyOfThree((m_origin < toFloat(m_min)) | (m_origin >= toFloat(m_max)))) {
            const auto [t0, t1] = clip(ray, bricks.cell_min.cast<float>(), bricks.cell_max.cast<float>(), tMax);
            m_t = t0;
            m_inside = t0 < t1;
        }
        m_cell = min(max(toInt(m_origin + m_t * m_direction), m_min), m_max - 1);
    }

    bool inside() const { return m_inside; }
    float t() const { return m_t; }

    /// The current block; `tExit` receives where the ray leaves it.
    Bricks::Block enter(float& tExit)
    {
        const Bricks::Block block = m_bricks.block(m_cell);
        m_low = (m_cell & -block.size) - block.margin;
        m_size = block.size + 2 * block.margin;
        m_borders = (toFloat(m_low + (m_positive & m_size)) - m_origin) * m_inverse;
        m_tExit = minOfThree(m_borders);
        tExit = std::max(m_t, std::min(m_tExit, m_tMax));
        return block;
    }

    /// Moves to the next block. Its cell is computed in integers, so rounding cannot stop the walk.
    void leave()
    {
        m_t = std::max(m_t, m_tExit);
        const Int4 across = m_positive ? m_low + m_size : m_low - 1;
        const Int4 along = min(max(toInt(m_origin + m_t * m_direction), m_low), m_low + (m_size - 1));
        m_cell = m_borders <= m_tExit ? across : along;
        m_inside = m_t < m_tMax && !anyOfThree((m_cell < m_min) | (m_cell >= m_max));
    }

    /// The field at a point of the current block.
    float value(const Bricks::Block& block, float t) const
    {
        const Float4 point = m_origin + t * m_direction;
        return Bricks::interpolate(block.values, Bricks::localPoint(point, m_cell, block.level));
    }

private:
    const Bricks& m_bricks;
    Float4 m_origin, m_direction, m_inverse, m_borders{};
    Int4 m_positive, m_cell, m_low{}, m_min, m_max;
    float m_t = 0, m_tExit = 0, m_tMax;
    int m_size = 0;
    bool m_inside = false;
};

}  // namespace firn
