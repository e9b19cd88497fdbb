#pragma once
// Small volumes for the tests of light transport.

#include <openvdb/openvdb.h>

#include "render/sampler.h"

namespace firn::test {

/// Density in [low, high], independent from voxel to voxel, at all voxels of the box; voxels of the given size.
inline openvdb::FloatGrid::Ptr noiseGrid(const openvdb::CoordBBox& box, float low, float high, double voxelSize)
{
    auto grid = openvdb::FloatGrid::create(0);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(voxelSize));
    Sampler sampler(7, 7, 7);
    auto accessor = grid->getAccessor();
    for (auto voxel = box.begin(); voxel != box.end(); ++voxel) {
        accessor.setValue(*voxel, low + (high - low) * sampler.uniform());
    }
    return grid;
}

/// A ball of radius 12 voxels about (3, -5, 2) with strongly varying density, clumped in blobs with gaps of air.
inline openvdb::FloatGrid::Ptr clumpedBall(double voxelSize)
{
    auto grid =
        noiseGrid(openvdb::CoordBBox(openvdb::Coord(-10, -18, -11), openvdb::Coord(16, 8, 15)), 0, 800, voxelSize);
    for (auto voxel = grid->beginValueOn(); voxel; ++voxel) {
        const openvdb::Vec3d p = voxel.getCoord().asVec3d() - openvdb::Vec3d(3, -5, 2);
        const bool gap = std::sin(p.x() * 0.6) + std::sin(p.y() * 0.5) + std::sin(p.z() * 0.7) < -0.8;
        if (p.length() > 12 || gap) voxel.setValue(0);
    }
    return grid;
}

}  // namespace firn::test
