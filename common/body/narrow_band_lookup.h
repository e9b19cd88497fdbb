#pragma once
// Trilinear interpolation in the bricks of a narrow band.

#include "common/body/narrow_band.h"

namespace firn {

/// A point of a narrow band: the brick that holds it, the lower node of its cell, and its place in the cell.
struct BandPlace {
    std::int32_t brick = NarrowBand::outsideBrick;  // index into `values`, outsideBrick or insideBrick
    int node = 0;                                   // index into the brick
    Vec3d share = Vec3d::Zero();
};

inline BandPlace placeIn(const NarrowBand& band, const Vec3d& point)
{
    constexpr int brickCells = NarrowBand::brickCells, brickNodes = NarrowBand::brickNodes;
    const Vec3d at = (point - band.origin) / band.voxel_m;
    const Vec3d limit = (brickCells * band.bricks).cast<double>();
    if (!((at.array() >= 0).all() && (at.array() < limit.array()).all())) return {};
    const Vec3i cell = at.cast<int>(), brick = cell / brickCells;
    BandPlace place;
    place.brick = band.table[brick.x() + static_cast<std::size_t>(band.bricks.x()) *
                                             (brick.y() + static_cast<std::size_t>(band.bricks.y()) * brick.z())];
    const Vec3i node = cell - brickCells * brick;
    place.node = node.x() + brickNodes * (node.y() + brickNodes * node.z());
    place.share = at - cell.cast<double>();
    return place;
}

/// The distance (m) at a place in a brick, and its gradient in m per voxel.
inline double bandDistance(const NarrowBand& band, const BandPlace& place, Vec3d& gradient)
{
    constexpr int dy = NarrowBand::brickNodes, dz = dy * dy;
    const float* v = band.values[place.brick].data() + place.node;
    const Vec3d& f = place.share;
    // Along x first: values and slopes on the cell's four edges, then along y, then along z.
    const auto mix = [](double a, double b, double t) { return a + t * (b - a); };
    const double v00 = mix(v[0], v[1], f.x()), v10 = mix(v[dy], v[dy + 1], f.x());
    const double v01 = mix(v[dz], v[dz + 1], f.x()), v11 = mix(v[dz + dy], v[dz + dy + 1], f.x());
    const double v0 = mix(v00, v10, f.y()), v1 = mix(v01, v11, f.y());
    gradient.x() = mix(mix(v[1] - v[0], v[dy + 1] - v[dy], f.y()),
                       mix(v[dz + 1] - v[dz], v[dz + dy + 1] - v[dz + dy], f.y()), f.z());
    gradient.y() = mix(v10 - v00, v11 - v01, f.z());
    gradient.z() = v1 - v0;
    return mix(v0, v1, f.z());
}

}  // namespace firn
