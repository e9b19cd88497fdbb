#pragma once
// A deforming surface at one time: its level set, and which point of the surface each node of it follows.

#include <array>
#include <memory>
#include <vector>

#include "common/body/level_set.h"
#include "common/body/narrow_band.h"

namespace firn {

constexpr int nodesOfBrick = NarrowBand::brickNodes * NarrowBand::brickNodes * NarrowBand::brickNodes;

/// A point of the surface: a triangle and the weights of its corners. Triangle -1 is no point.
struct SurfacePoint {
    std::int32_t triangle = -1;
    Vec3f weights = Vec3f::Zero();
};

struct KeyLevel {
    NarrowBand band;
    std::vector<std::array<SurfacePoint, nodesOfBrick>> nearest;  // per brick and node
};

/// Vectors per brick and node, such as velocities (m/s).
using BrickVectors = std::vector<std::array<Vec3f, nodesOfBrick>>;

std::shared_ptr<const KeyLevel> makeKeyLevel(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles,
                                             const LevelSetOptions& options);

/// The vectors of vertices, carried to the nodes: each node gets that of its nearest point of the surface. Nodes
/// without one get the mean of their brick.
BrickVectors toNodes(const KeyLevel& level, const std::vector<Vec3d>& ofVertices, const std::vector<Vec3i>& triangles);

/// The distance (m) and its gradient (unit, or zero beyond the band) at a point.
double distanceAt(const NarrowBand& band, const Vec3d& point, Vec3d& gradient);

/// The vector at a point, trilinear; false beyond the band.
bool vectorAt(const KeyLevel& level, const BrickVectors& vectors, const Vec3d& point, Vec3d& result);

}  // namespace firn
