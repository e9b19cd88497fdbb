#pragma once
// Closes holes of a mesh whose border is nearly flat, such as the open underside of a vehicle.

#include <string>
#include <vector>

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

/// The borders of an open mesh as loops of vertices. Borders that touch themselves are left out.
std::vector<std::vector<int>> borderLoops(const TriangleMesh& mesh);

/// Adds triangles across a border without colours: in its plane if it is nearly flat, otherwise to a new vertex in its
/// middle. Orientation is left to orientOutward.
void closeLoop(TriangleMesh& mesh, std::vector<int> loop);

/// "closed 3 holes, the largest 0.4 m wide at (1, 0.2, 3) m", for messages.
std::string holesText(const ClosedHoles& holes);

}  // namespace firn
