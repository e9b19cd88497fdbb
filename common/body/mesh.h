#pragma once
// Triangle meshes: welding, orientation, volume, and where they are open.

#include <string>
#include <vector>

#include "common/math.h"

namespace firn {

struct TriangleMesh {
    std::vector<Vec3f> vertices;   // metres
    std::vector<Vec3i> triangles;  // counter-clockwise seen from outside
};

/// Volume enclosed, m^3; negative when the triangles face inwards.
double signedVolume(const TriangleMesh& mesh);

Box3d boundsOf(const TriangleMesh& mesh);

/// Edges that keep a mesh from enclosing a volume, and where the largest connected set of them is.
struct MeshDefects {
    std::size_t boundary_edges = 0;      // with one triangle
    std::size_t non_manifold_edges = 0;  // with more than two
    std::size_t holes = 0;               // connected sets of boundary edges
    Vec3d place = Vec3d::Zero();         // centre of the largest hole, or of the non-manifold edges
    int nearest_vertex = -1;             // the defective edges' vertex nearest to `place`

    bool none() const { return boundary_edges == 0 && non_manifold_edges == 0; }
};
MeshDefects findDefects(const TriangleMesh& mesh);

/// Throws Error(Usage) naming `source`, the count of open edges and the place when the mesh does not enclose a volume.
void checkClosed(const TriangleMesh& mesh, const std::string& source);

/// Makes triangles share the first of the vertices at exactly the same position and drops those that have lost their
/// area by it. Vertices keep their numbers; the others at the position are left unused.
void weldVertices(TriangleMesh& mesh);

/// Turns triangles so that neighbours agree and each connected part encloses a positive volume. The mesh must be
/// closed.
void orientOutward(TriangleMesh& mesh);

}  // namespace firn
