#include "render/corner_normals.h"

#include <algorithm>
#include <cmath>

namespace firn {

namespace {

/// A vertex of more triangles than this, such as the tip of a cone, keeps the normals of its triangles: the time for a
/// vertex grows with their square.
constexpr int maxTriangles = 256;

/// A corner of a triangle.
struct Corner {
    int triangle, number;
};

Vec3f cornerAt(const TriangleMesh& mesh, int triangle, int number)
{
    return mesh.vertices[static_cast<std::size_t>(mesh.triangles[static_cast<std::size_t>(triangle)][number % 3])];
}

Vec3f unitOrZero(const Vec3d& v)
{
    const double length = v.norm();
    return length > 0 ? (v / length).cast<float>().eval() : Vec3f::Zero();
}

Vec3f triangleNormal(const TriangleMesh& mesh, int triangle)
{
    const Vec3d origin = cornerAt(mesh, triangle, 0).cast<double>();
    return unitOrZero((cornerAt(mesh, triangle, 1).cast<double>() - origin)
                          .cross(cornerAt(mesh, triangle, 2).cast<double>() - origin));
}

double angleAt(const TriangleMesh& mesh, const Corner& corner)
{
    const Vec3d at = cornerAt(mesh, corner.triangle, corner.number).cast<double>();
    const Vec3d a = cornerAt(mesh, corner.triangle, corner.number + 1).cast<double>() - at;
    const Vec3d b = cornerAt(mesh, corner.triangle, corner.number + 2).cast<double>() - at;
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// The corners that meet at each vertex, in the order of their triangles.
std::vector<std::vector<Corner>> cornersByVertex(const TriangleMesh& mesh)
{
    std::vector<std::vector<Corner>> corners(mesh.vertices.size());
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
        for (int k = 0; k < 3; ++k)
            corners[static_cast<std::size_t>(mesh.triangles[static_cast<std::size_t>(t)][k])].push_back({t, k});
    return corners;
}

}  // namespace

std::vector<CornerNormals> cornerNormals(const TriangleMesh& mesh, float crease_rad)
{
    const float leastCosine = std::cos(crease_rad);
    std::vector<Vec3f> ofTriangle;
    ofTriangle.reserve(mesh.triangles.size());
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) ofTriangle.push_back(triangleNormal(mesh, t));
    const auto normalOf = [&](const Corner& corner) { return ofTriangle[static_cast<std::size_t>(corner.triangle)]; };

    std::vector<CornerNormals> result(mesh.triangles.size());
    for (const std::vector<Corner>& corners : cornersByVertex(mesh)) {
        std::vector<Vec3d> weighted;
        weighted.reserve(corners.size());
        for (const Corner& corner : corners)
            weighted.push_back(angleAt(mesh, corner) * normalOf(corner).cast<double>());
        for (const Corner& corner : corners) {
            const Vec3f own = normalOf(corner);
            Vec3d sum = own.cast<double>();
            if (corners.size() <= maxTriangles) {
                sum.setZero();
                for (std::size_t k = 0; k < corners.size(); ++k)
                    if (normalOf(corners[k]).dot(own) >= leastCosine) sum += weighted[k];
            }
            result[static_cast<std::size_t>(corner.triangle)][static_cast<std::size_t>(corner.number)] =
                unitOrZero(sum);
        }
    }
    return result;
}

Vec3f interpolate(const CornerNormals& normals, float u, float v)
{
    return ((1 - u - v) * normals[0] + u * normals[1] + v * normals[2]).stableNormalized();
}

}  // namespace firn
