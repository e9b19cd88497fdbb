#pragma once
// Closes holes of a mesh whose border is nearly flat, such as the open underside of a vehicle.

#include <string>

#include "common/body/mesh.h"

namespace firn {

struct ClosedHoles {
    int count = 0;
    double largest_m = 0;         // diagonal of the bounds of the largest one
    Vec3d place = Vec3d::Zero();  // its centre
};

/// Adds triangles across each hole, without new vertices. A hole is closed if its border is one loop that departs from
/// a plane by at most a tenth of its size; other holes stay. The mesh must be welded. Orientation is left to
/// orientOutward.
ClosedHoles closeFlatHoles(TriangleMesh& mesh);

/// "closed 3 holes, the largest 0.4 m wide at (1, 0.2, 3) m", for messages.
std::string holesText(const ClosedHoles& holes);

}  // namespace firn
