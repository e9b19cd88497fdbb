#pragma once
// Finds the next collision along a ray: delta tracking (Woodcock et al. 1965) and ratio tracking (Novak et al. 2014)
// with local majorants. In each block along the ray, tentative collisions occur at the rate of the block's majorant.
// The walk stops at block borders, and what is left of the optical depth is used in the next block, so the result is
// exact for any majorants.

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
        m_size = block.size;
        m_low = m_cell & -m_size;
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
        const Float4 corner = toFloat(m_cell & -Bricks::cells);
        return Bricks::interpolate(block.values, m_origin + t * m_direction - corner);
    }

private:
    const Bricks& m_bricks;
    Float4 m_origin, m_direction, m_inverse, m_borders{};
    Int4 m_positive, m_cell, m_low{}, m_min, m_max;
    float m_t = 0, m_tExit = 0, m_tMax;
    int m_size = 0;
    bool m_inside = false;
};

/// Calls onTentative(t, sigma_t, majorant) at tentative collisions along a ray in index space, until it returns false
/// or the ray ends at tMax. `depth` is the majorant's optical depth to the first of them.
template <class OnTentative>
void track(const Volume& volume, const Ray& ray, float tMax, float depth, Sampler& sampler, OnTentative onTentative)
{
    if (volume.isHomogeneous()) {
        const auto [t0, t1] = clip(ray, volume.indexMin(), volume.indexMax(), tMax);
        const float sigma_t = volume.constant();
        float t = t0 + depth / sigma_t;
        while (t < t1) {
            const Vec2f u = sampler.uniform2();
            if (!onTentative(t, sigma_t, sigma_t, u.x())) return;
            depth = sampleOpticalDepth(u.y());
            t += depth / sigma_t;
        }
        return;
    }
    for (BlockWalk walk(volume.bricks(), ray, tMax); walk.inside(); walk.leave()) {
        float tExit = 0;
        const Bricks::Block block = walk.enter(tExit);
        if (block.majorant <= 0) continue;
        float t = walk.t();
        while (depth < (tExit - t) * block.majorant) {
            t += depth / block.majorant;
            const Vec2f u = sampler.uniform2();
            if (!onTentative(t, walk.value(block, t), block.majorant, u.x())) return;
            depth = sampleOpticalDepth(u.y());
        }
        depth -= (tExit - t) * block.majorant;
    }
}

/// Distance to the next collision along a ray in index space, or infinity if the ray reaches tMax.
inline float sampleFlight(const Volume& volume, const Ray& ray, float tMax, float depth, Sampler& sampler)
{
    float hit = infinity;
    track(volume, ray, tMax, depth, sampler, [&](float t, float sigma_t, float majorant, float u) {
        if (u * majorant >= sigma_t) return true;
        hit = t;
        return false;
    });
    return hit;
}

/// An unbiased estimate of the transmittance along a ray in index space. Below 0.1, Russian roulette ends it.
inline float estimateTransmittance(const Volume& volume, const Ray& ray, float tMax, Sampler& sampler)
{
    float transmittance = 1;
    track(volume, ray, tMax, sampleOpticalDepth(sampler.uniform()), sampler,
          [&](float, float sigma_t, float majorant, float u) {
              constexpr float threshold = 0.1f;
              transmittance *= 1 - sigma_t / majorant;
              if (transmittance >= threshold) return true;
              const bool survives = u * threshold < transmittance;
              transmittance = survives ? threshold : 0;
              return survives;
          });
    return transmittance;
}

}  // namespace firn
