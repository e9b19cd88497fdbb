#pragma once
// Where is the next collision: delta tracking (Woodcock et al. 1965) and ratio tracking (Novak et al. 2014) over local
// majorants. Along a ray, tentative collisions arrive at the rate of the majorant of the block they are in; the walk
// stops at block borders, so that it is exact for any majorants, and an optical depth not used up in one block goes on
// in the next.

#include <cmath>
#include <limits>

#include "render/sampler.h"
#include "render/volume.h"

namespace firn {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Exponentially distributed with mean 1, from a uniform number in [0, 1).
inline float exponential(float u) { return -std::log(1 - u); }

/// The part of the ray within a box; empty if t0 >= t1.
struct Span {
    float t0, t1;
};
inline Span clip(const Ray& ray, const Vec3f& min, const Vec3f& max, float tMax)
{
    Span span{0, tMax};
    for (int axis = 0; axis < 3; ++axis) {
        const float inverse = 1 / ray.direction[axis];
        const float a = (min[axis] - ray.origin[axis]) * inverse, b = (max[axis] - ray.origin[axis]) * inverse;
        // Comparisons with NaN (a ray within a face's plane) are false and leave the span as it is.
        const float near = a < b ? a : b, far = a < b ? b : a;
        if (near > span.t0) span.t0 = near;
        if (far < span.t1) span.t1 = far;
    }
    return span;
}

/// The blocks along a ray in index space, from cell to cell of their borders.
class BlockWalk {
public:
    BlockWalk(const Bricks& bricks, const Ray& ray, float tMax) : m_bricks(bricks), m_origin(ray.origin), m_tMax(tMax)
    {
        const Span span = clip(ray, bricks.cellMin.cast<float>(), bricks.cellMax.cast<float>(), tMax);
        m_t = span.t0;
        m_inside = span.t0 < span.t1;
        for (int axis = 0; axis < 3; ++axis) {
            constexpr float tiny = 1e-12F;  // keeps distances to borders finite
            const float d = ray.direction[axis];
            m_direction[axis] = std::abs(d) < tiny ? std::copysign(tiny, d) : d;
            m_inverse[axis] = 1 / m_direction[axis];
            const float at = std::floor(m_origin[axis] + m_t * m_direction[axis]);
            m_cell[axis] = std::clamp(static_cast<int>(at), bricks.cellMin[axis], bricks.cellMax[axis] - 1);
        }
    }

    bool inside() const { return m_inside; }
    float t() const { return m_t; }

    /// The block at hand; sets where the ray leaves it.
    Bricks::Block enter(float& tExit)
    {
        const Bricks::Block block = m_bricks.block(m_cell);
        m_size = block.size;
        m_tExit = infinity;
        for (int axis = 0; axis < 3; ++axis) {
            const int low = m_cell[axis] & -m_size;
            const int border = m_direction[axis] > 0 ? low + m_size : low;
            const float t = (static_cast<float>(border) - m_origin[axis]) * m_inverse[axis];
            if (t < m_tExit) {
                m_tExit = t;
                m_axis = axis;
            }
        }
        m_tExit = std::max(m_tExit, m_t);
        tExit = std::min(m_tExit, m_tMax);
        return block;
    }

    /// Goes on to the next block. The cell crossed into is set in integers, so that rounding cannot hold the walk up.
    void leave()
    {
        m_t = m_tExit;
        for (int axis = 0; axis < 3; ++axis) {
            const int low = m_cell[axis] & -m_size;
            if (axis == m_axis) {
                m_cell[axis] = m_direction[axis] > 0 ? low + m_size : low - 1;
            } else {
                const float at = std::floor(m_origin[axis] + m_t * m_direction[axis]);
                m_cell[axis] = std::clamp(static_cast<int>(at), low, low + m_size - 1);
            }
        }
        m_inside =
            m_t < m_tMax && m_cell[m_axis] >= m_bricks.cellMin[m_axis] && m_cell[m_axis] < m_bricks.cellMax[m_axis];
    }

    /// The field at a point of the block, by the brick it lies in.
    float value(const Bricks::Block& block, float t) const
    {
        Vec3f local;
        for (int axis = 0; axis < 3; ++axis) {
            const auto corner = static_cast<float>(m_cell[axis] & -Bricks::cells);
            local[axis] = m_origin[axis] + t * m_direction[axis] - corner;
        }
        return Bricks::interpolate(block.values, local);
    }

private:
    const Bricks& m_bricks;
    Vec3f m_origin, m_direction, m_inverse;
    Vec3i m_cell;
    float m_t = 0, m_tExit = 0, m_tMax;
    int m_size = 0, m_axis = 0;
    bool m_inside = false;
};

/// Calls onTentative(t, sigma_t, majorant) at tentative collisions along a ray in index space, until it returns false
/// or the ray ends at tMax. `depth` is the majorant's optical depth to the first of them.
template <class OnTentative>
void track(const Volume& volume, const Ray& ray, float tMax, float depth, Sampler& sampler, OnTentative onTentative)
{
    if (volume.isHomogeneous()) {
        const Span span = clip(ray, volume.indexMin(), volume.indexMax(), tMax);
        const float sigma_t = volume.constant();
        for (float t = span.t0 + depth / sigma_t; t < span.t1; t += exponential(sampler.uniform()) / sigma_t) {
            if (!onTentative(t, sigma_t, sigma_t)) return;
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
            if (!onTentative(t, walk.value(block, t), block.majorant)) return;
            depth = exponential(sampler.uniform());
        }
        depth -= (tExit - t) * block.majorant;
    }
}

/// Distance to the next collision along a ray in index space, or infinity if the ray reaches tMax.
inline float sampleFlight(const Volume& volume, const Ray& ray, float tMax, float depth, Sampler& sampler)
{
    float hit = infinity;
    track(volume, ray, tMax, depth, sampler, [&](float t, float sigma_t, float majorant) {
        if (sampler.uniform() * majorant >= sigma_t) return true;
        hit = t;
        return false;
    });
    return hit;
}

/// An unbiased estimate of the transmittance along a ray in index space. Below 0.1 the estimate goes on by roulette.
inline float estimateTransmittance(const Volume& volume, const Ray& ray, float tMax, Sampler& sampler)
{
    float transmittance = 1;
    track(volume, ray, tMax, exponential(sampler.uniform()), sampler, [&](float, float sigma_t, float majorant) {
        constexpr float threshold = 0.1F;
        transmittance *= 1 - sigma_t / majorant;
        if (transmittance >= threshold) return true;
        const bool survives = sampler.uniform() * threshold < transmittance;
        transmittance = survives ? threshold : 0;
        return survives;
    });
    return transmittance;
}

}  // namespace firn
