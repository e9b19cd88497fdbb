#pragma once
// The connected parts of a mesh, such as the boots, the trousers and the jacket of a character.

#include <memory>
#include <vector>

#include "common/body/deforming_surface.h"
#include "common/math.h"

namespace firn {

struct MeshPart {
    std::vector<int> vertices;     // numbers in the whole mesh, increasing
    std::vector<Vec3i> triangles;  // of the part's own vertices
    std::vector<int> numbers;      // of the triangles in the whole mesh
};

/// Parts whose triangles share no vertices, in the order of their first triangles. `vertices` is the number of the
/// mesh's vertices; those without triangles are in no part. A mesh of more than `mostParts` parts, such as debris,
/// counts as one part: each part of a body costs time in every substep.
std::vector<MeshPart> connectedParts(const std::vector<Vec3i>& triangles, std::size_t vertices, int mostParts = 32);

/// The parts of a deforming surface; the surface itself where it has only one.
std::vector<std::shared_ptr<const DeformingSurface>> partsOfSurface(std::shared_ptr<const DeformingSurface> surface);

}  // namespace firn
