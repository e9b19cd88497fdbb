#pragma once
// Triangle meshes: welding, orientation, volume, and finding holes.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "common/math.h"

namespace firn {

struct EncodedPicture;

/// The colour of a material that has none: that of the body.
inline const Vec3f noColor = Vec3f::Constant(-1);

struct Material {
    std::string name;
    Vec3f color = noColor;                                    // diffuse albedo; with a picture, a factor on it
    std::shared_ptr<const EncodedPicture> picture = nullptr;  // of the diffuse albedo, sRGB-encoded
    float roughness = -1, metalness = -1;                     // below 0: those of the body
    std::shared_ptr<const EncodedPicture> gloss = nullptr;    // factors: green of the roughness, blue of the metalness
};

/// Where the corners of a triangle lie in the picture of its material, a column each: (u, v), both 0 at the lower left
/// and 1 at the upper right. The picture repeats.
using CornerPlaces = Eigen::Matrix<float, 2, 3>;

/// The materials of a mesh, as its file names them.
struct MeshMaterials {
    std::vector<Material> list;
    std::vector<int> of;               // the number of each triangle's material; empty without materials
    std::vector<CornerPlaces> places;  // of each triangle; empty without pictures

    bool hasPictures() const { return !places.empty(); }
    const Material& ofTriangle(std::size_t triangle) const { return list[static_cast<std::size_t>(of[triangle])]; }

    /// The colour of a triangle, or the body's where its material has none.
    Vec3f colorOf(std::size_t triangle, const Vec3f& ofBody) const
    {
        if (of.empty()) return ofBody;
        const Vec3f& color = ofTriangle(triangle).color;
        return color == noColor ? ofBody : color;
    }

    /// Those of some triangles, given by their numbers.
    MeshMaterials some(const std::vector<int>& triangles) const;
};

struct TriangleMesh {
    std::vector<Vec3f> vertices;   // metres
    std::vector<Vec3i> triangles;  // counter-clockwise seen from outside
    MeshMaterials materials = {};
};

TriangleMesh makeMesh(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles);

/// Volume enclosed, m^3; negative when the triangles face inwards.
double signedVolume(const TriangleMesh& mesh);

Box3d boundsOf(const TriangleMesh& mesh);

/// "1 x 2.5 x 3", for messages.
std::string sizeText(const Vec3d& size);

/// Multiplies every vertex by a matrix, in double.
void transformVertices(TriangleMesh& mesh, const Mat3d& matrix);

/// Edges that prevent a mesh from enclosing a volume, and the place of the largest connected set of them.
struct MeshDefects {
    std::size_t boundary_edges = 0;      // with one triangle
    std::size_t non_manifold_edges = 0;  // with more than two
    std::size_t holes = 0;               // connected sets of boundary edges
    Vec3d place = Vec3d::Zero();         // centre of the largest hole, or of the non-manifold edges
    int nearest_vertex = -1;             // that vertex of the defective edges which is nearest to `place`

    bool none() const { return boundary_edges == 0 && non_manifold_edges == 0; }
};
MeshDefects findDefects(const TriangleMesh& mesh);

/// The edges with one triangle, in its direction, ordered by their vertices.
std::vector<std::array<int, 2>> borderEdges(const TriangleMesh& mesh);

/// Throws Error(Usage) if a vertex is not within 1000 km of the origin. The message names `source`.
void checkCoordinates(const TriangleMesh& mesh, const std::string& source);

/// Throws Error(Usage) if the mesh does not enclose a volume. The message names `source`, the number of open edges and
/// their place.
void checkClosed(const TriangleMesh& mesh, const std::string& source);

/// Merges vertices at exactly the same position: triangles then use the first of them. Triangles that lose their area
/// are removed. Vertices keep their numbers; the merged ones stay in the list, unused.
void weldVertices(TriangleMesh& mesh);

/// Flips triangles so that neighbours have the same orientation and each connected part encloses a positive volume. The
/// mesh must be closed.
void orientOutward(TriangleMesh& mesh);

}  // namespace firn
