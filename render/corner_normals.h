#pragma once
// Normals for the smooth shading of triangle meshes.

#include <array>
#include <vector>

#include "common/body/mesh.h"

namespace firn {

/// Normals at the corners of a triangle; unit length, or zero where the triangle has no area.
using CornerNormals = std::array<Vec3f, 3>;

/// Per triangle. The normal at a corner is the mean over those triangles at its vertex whose normals are within
/// `crease_rad` of the triangle's own, weighted by their angles there (G. Thuermer, C. A. Wuethrich, Computing vertex
/// normals from polygonal facets, J. Graphics Tools 3, 1998). Sharper edges stay sharp.
std::vector<CornerNormals> cornerNormals(const TriangleMesh& mesh, float crease_rad);

/// The normal between the corners of a triangle; u and v are the weights of the second and the third one.
Vec3f interpolate(const CornerNormals& normals, float u, float v);

}  // namespace firn
