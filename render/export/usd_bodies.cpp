#include <variant>

#include "render/export/usd_parts.h"

namespace firn {
namespace {

std::string pointText(const Vec3f& point) { return UsdText::tuple(point.cast<double>()); }

std::string transformOf(const Pose& pose)
{
    const Mat3d axes = pose.rotation.toRotationMatrix();
    return UsdText::matrix(axes.col(0), axes.col(1), axes.col(2), pose.translation);
}

std::string extentText(const std::vector<Vec3f>& points)
{
    Vec3f low = Vec3f::Constant(1e30f), high = -low;
    for (const Vec3f& point : points) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
    }
    return "[" + pointText(low) + ", " + pointText(high) + "]";
}

void addTopology(UsdText& usd, const TriangleMesh& mesh)
{
    usd.line("int[] faceVertexCounts = " +
             UsdText::list(mesh.triangles, [](const Vec3i&) { return std::string("3"); }));
    usd.line("int[] faceVertexIndices = " + UsdText::list(mesh.triangles, [](const Vec3i& t) {
                 return std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]);
             }));
    usd.line("uniform token subdivisionScheme = \"none\"");
}

void addColor(UsdText& usd, const TriangleMesh& mesh, const Body& body)
{
    const Vec3f color = body.color.cast<float>();
    if (mesh.materials.of.empty()) {
        usd.line("color3f[] primvars:displayColor = [" + pointText(color) + "]");
        return;
    }
    std::vector<Vec3f> colors;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) colors.push_back(mesh.materials.colorOf(t, color));
    usd.line("color3f[] primvars:displayColor = " + UsdText::list(colors, pointText) +
             " (interpolation = \"uniform\")");
}

/// A mesh that a transform moves.
void addRigid(UsdText& usd, const std::map<int, PosedMesh>& meshes, const Body& body)
{
    const TriangleMesh& mesh = *meshes.begin()->second.mesh;
    std::map<int, std::string> transform;
    for (const auto& [frame, posed] : meshes) transform[frame] = transformOf(posed.pose);
    usd.open("Mesh", "piece");
    addTopology(usd, mesh);
    usd.line("point3f[] points = " + UsdText::list(mesh.vertices, pointText));
    usd.line("float3[] extent = " + extentText(mesh.vertices));
    addColor(usd, mesh, body);
    usd.attribute("matrix4d", "xformOp:transform", transform);
    usd.line("uniform token[] xformOpOrder = [\"xformOp:transform\"]");
    usd.close();
}

/// A mesh whose vertices move, in the world.
void addDeforming(UsdText& usd, const std::map<int, PosedMesh>& meshes, const Body& body)
{
    std::map<int, std::string> points, extent;
    for (const auto& [frame, posed] : meshes) {
        std::vector<Vec3f> places;
        for (const Vec3f& vertex : posed.mesh->vertices)
            places.push_back(posed.pose.toWorld(vertex.cast<double>()).cast<float>());
        points[frame] = UsdText::list(places, pointText);
        extent[frame] = extentText(places);
    }
    usd.open("Mesh", "piece");
    addTopology(usd, *meshes.begin()->second.mesh);
    usd.attribute("point3f[]", "points", points);
    usd.attribute("float3[]", "extent", extent);
    addColor(usd, *meshes.begin()->second.mesh, body);
    usd.close();
}

bool isRigid(const std::map<int, PosedMesh>& meshes)
{
    for (const auto& [frame, posed] : meshes)
        if (posed.mesh != meshes.begin()->second.mesh) return false;
    return true;
}

/// Square of a half space, around the foot of the world's origin.
PosedMesh squareOf(const HalfSpace& space)
{
    constexpr double half_m = 100;
    const Vec3d right = space.normal.unitOrthogonal(), up = space.normal.cross(right),
                middle = space.offset_m * space.normal;
    TriangleMesh mesh;
    for (const auto& [a, b] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
        mesh.vertices.emplace_back((middle + half_m * (a * right + b * up)).cast<float>());
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return {std::make_shared<const TriangleMesh>(std::move(mesh)), Pose(), true};
}

void addPiece(UsdText& usd, const Scene& scene, const BodyPiece& piece, const Body& body,
              const std::vector<int>& frames)
{
    std::map<int, PosedMesh> meshes;
    for (const int frame : frames) {
        if (piece.isStatic() && !meshes.empty()) break;
        const PieceSurface surface = piece.surface(scene.timeOfFrame(frame));
        const auto* const mesh = std::get_if<PosedMesh>(&surface);
        meshes[frame] = mesh != nullptr ? *mesh : squareOf(std::get<HalfSpace>(surface));
        if (mesh == nullptr) break;  // planes do not move in a way that a square would show
    }
    if (isRigid(meshes)) return addRigid(usd, meshes, body);
    addDeforming(usd, meshes, body);
}

}  // namespace

void addBodies(UsdText& usd, const Scene& scene, const std::vector<Body>& bodies, const std::vector<int>& frames)
{
    usd.open("Xform", "bodies");
    for (const Body& body : bodies) {
        if (!body.visible) continue;
        usd.open("Xform", body.name);
        for (const auto& piece : body.pieces) addPiece(usd, scene, *piece, body, frames);
        usd.close();
    }
    usd.close();
}

}  // namespace firn
