#pragma once
// Extinction in space, ready for tracking: sparse bricks, or a homogeneous medium in a box that may be unbounded.
// Tracking works in index space, where the unit of length is a voxel: extinction 2 means 2 collisions per voxel width.

#include <limits>

#include "render/bricks.h"
#include "render/ray.h"

namespace firn {

class Volume {
public:
    /// Extinction sigma_t (1/m) within the box, none outside. Bounds may be infinite.
    static Volume homogeneous(const Vec3f& min, const Vec3f& max, float sigma_t);

    /// `extinction` holds sigma_t times the voxel size; value (0,0,0) lies at `origin` (metres).
    Volume(Bricks extinction, const Vec3d& origin, double voxelSize_m);

    Vec3f toIndex(const Vec3f& world) const { return (world - m_origin) * m_inverseVoxelSize; }
    Vec3f toWorld(const Vec3f& index) const { return index * m_voxelSize + m_origin; }
    float voxelSize_m() const { return m_voxelSize; }

    bool isHomogeneous() const { return m_constant > 0; }
    float constant() const { return m_constant; }    // extinction where homogeneous, index space
    const Vec3f& indexMin() const { return m_min; }  // bounds of the medium, index space
    const Vec3f& indexMax() const { return m_max; }
    const Bricks& bricks() const { return m_bricks; }

    /// Extinction (1/m) and its gradient (1/m^2) at a point in world space, metres.
    float extinction(const Vec3f& world) const;
    Vec3f gradient(const Vec3f& world) const;

    /// Integral of extinction over space (m^2).
    double extinctionIntegral() const;

private:
    Volume() = default;

    Bricks m_bricks;
    Vec3f m_origin = Vec3f::Zero();
    float m_voxelSize = 1;
    float m_inverseVoxelSize = 1;
    float m_constant = 0;
    Vec3f m_min = Vec3f::Zero(), m_max = Vec3f::Zero();
};

}  // namespace firn
