#pragma once
// A closed mesh as a shape whose level set is made brick by brick, where it is asked for.

#include <memory>

#include "common/body/key_level.h"
#include "common/body/mesh.h"
#include "common/body/shape.h"

namespace firn {

/// The smallest voxels whose bricks, also those that are never made, fit into memory, m.
double finestMeshVoxel_m(const TriangleMesh& mesh);

/// Distances are known within `options.reach_m` of the surface; beyond, their sign is.
std::shared_ptr<const Shape> makeMeshShape(std::shared_ptr<const TriangleMesh> mesh, const KeyLevelOptions& options);

}  // namespace firn
