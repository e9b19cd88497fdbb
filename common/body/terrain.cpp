#include "common/body/terrain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "common/body/close_holes.h"
#include "common/body/mesh_file.h"
#include "common/body/mesh_parts.h"
#include "common/error.h"
#include "common/image/gray_picture.h"
#include "common/io/extension.h"

namespace firn {

namespace {

constexpr double smallShare = 0.1;  // of the largest part's size: smaller parts are debris, smaller holes are closed
constexpr double leastThickness_m = 1;

std::string placeText(const Vec3d& place)
{
    char text[80];
    std::snprintf(text, sizeof text, "(%.3g, %.3g, %.3g) m", place.x(), place.y(), place.z());
    return text;
}

Box3d boundsOf(const TriangleMesh& mesh, const std::vector<int>& vertices)
{
    Box3d box;
    for (const int v : vertices) box.extend(mesh.vertices[static_cast<std::size_t>(v)].cast<double>());
    return box;
}

/// The area of a mesh as it is seen along x, y and z, m^2.
Vec3d areaAlong(const TriangleMesh& mesh)
{
    Vec3d sum = Vec3d::Zero();
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d a = mesh.vertices[static_cast<std::size_t>(t[0])].cast<double>();
        const auto edge = [&](int corner) -> Vec3d {
            return mesh.vertices[static_cast<std::size_t>(t[corner])].cast<double>() - a;
        };
        sum += edge(1).cross(edge(2)).cwiseAbs() / 2;
    }
    return sum;
}

/// The part of the mesh that keeps its place in a mesh of its own.
TriangleMesh meshOf(const TriangleMesh& mesh, const MeshPart& part)
{
    TriangleMesh own;
    for (const int v : part.vertices) own.vertices.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
    own.triangles = part.triangles;
    return own;
}

void append(const TriangleMesh& from, TriangleMesh& to)
{
    const Vec3i shift = Vec3i::Constant(static_cast<int>(to.vertices.size()));
    to.vertices.insert(to.vertices.end(), from.vertices.begin(), from.vertices.end());
    for (const Vec3i& t : from.triangles) to.triangles.push_back(t + shift);
}

/// Closes the holes of a connected part: all its borders but the longest one.
void closeInside(TriangleMesh& part, ClosedHoles& closed, const std::string& source)
{
    std::vector<std::vector<int>> loops = borderLoops(part);
    if (loops.empty()) return;
    const auto size = [&](const std::vector<int>& loop) { return boundsOf(part, loop).sizes().norm(); };
    std::ranges::iter_swap(std::ranges::max_element(loops, {}, size), loops.begin());
    const double largest = smallShare * boundsOf(part).sizes().norm();
    for (auto loop = loops.begin() + 1; loop != loops.end(); ++loop) {
        const Box3d box = boundsOf(part, *loop);
        if (box.sizes().norm() > largest)
            throw Error(ExitCode::Usage, source + ": the surface has a hole of " + sizeText(box.sizes()) + " m at " +
                                             placeText(box.center()) +
                                             "; holes of more than a tenth of the terrain are not closed");
        closeLoop(part, *loop);
        ++closed.count;
        if (box.sizes().norm() <= closed.largest_m) continue;
        closed.largest_m = box.sizes().norm();
        closed.place = box.center();
    }
}

/// Adds the underside at the height `bottom`, and walls between it and the border.
void addUnderside(TriangleMesh& part, float bottom)
{
    const auto below = static_cast<int>(part.vertices.size());
    const std::vector<Vec3i> top = part.triangles;
    const std::vector<std::array<int, 2>> border = borderEdges(part);
    for (int v = 0; v < below; ++v) {
        Vec3f vertex = part.vertices[static_cast<std::size_t>(v)];
        vertex.y() = bottom;
        part.vertices.push_back(vertex);
    }
    for (const Vec3i& t : top) part.triangles.emplace_back(below + t[0], below + t[2], below + t[1]);
    for (const auto& [a, b] : border) {
        part.triangles.emplace_back(b, a, below + a);
        part.triangles.emplace_back(b, below + a, below + b);
    }
}

}  // namespace

TriangleMesh heightMesh(const std::vector<float>& heights, int width, double size_x_m, double size_z_m)
{
    const int rows = static_cast<int>(heights.size()) / width;
    TriangleMesh mesh;
    mesh.vertices.reserve(heights.size());
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < width; ++column)
            mesh.vertices.emplace_back(static_cast<float>(size_x_m * (static_cast<double>(column) / (width - 1) - 0.5)),
                                       heights[mesh.vertices.size()],
                                       static_cast<float>(size_z_m * (static_cast<double>(row) / (rows - 1) - 0.5)));
    for (int row = 0; row + 1 < rows; ++row)
        for (int column = 0; column + 1 < width; ++column) {
            const int a = row * width + column, b = a + 1, c = a + width, d = c + 1;
            mesh.triangles.emplace_back(a, c, d);
            mesh.triangles.emplace_back(a, d, b);
        }
    return mesh;
}

Terrain solidBelow(TriangleMesh surface, const std::string& source)
{
    const std::vector<MeshPart> parts =
        connectedParts(surface.triangles, surface.vertices.size(), std::numeric_limits<int>::max());
    const auto size = [&](const MeshPart& part) { return boundsOf(surface, part.vertices).sizes().norm(); };
    double largest = 0;
    for (const MeshPart& part : parts) largest = std::max(largest, size(part));
    Terrain terrain;
    ClosedHoles closed;
    std::size_t debris = 0;
    std::vector<TriangleMesh> kept;
    Box3d bounds;
    if (const Vec3d up = areaAlong(surface); up.z() > 1.5 * up.y() || up.x() > 1.5 * up.y())
        terrain.remarks.push_back("most of the terrain faces along " + std::string(up.z() > up.x() ? "z" : "x") +
                                  ", not along y, which is up; does it need up_axis = \"" +
                                  (up.z() > up.x() ? "z" : "x") + "\"?");
    for (const MeshPart& part : parts) {
        if (size(part) < smallShare * largest) {
            ++debris;
            continue;
        }
        kept.push_back(meshOf(surface, part));
        if (borderEdges(kept.back()).empty())
            throw Error(ExitCode::Usage, source +
                                             ": the mesh is closed and has no border; expected an open surface. "
                                             "For a closed mesh, use shape = \"mesh\"");
        closeInside(kept.back(), closed, source);
        bounds.extend(boundsOf(kept.back()));
    }
    const double thickness = std::max(leastThickness_m, smallShare * bounds.sizes().y());
    for (TriangleMesh& part : kept) {
        addUnderside(part, static_cast<float>(bounds.min().y() - thickness));
        append(part, terrain.mesh);
    }
    orientOutward(terrain.mesh);
    if (closed.count > 0) terrain.remarks.push_back(holesText(closed));
    if (debris > 0)
        terrain.remarks.push_back("left out " + std::to_string(debris) + (debris == 1 ? " part" : " parts") +
                                  " smaller than a tenth of the terrain");
    return terrain;
}

Terrain loadTerrain(const TerrainFile& file)
{
    const std::string extension = lowerExtension(file.file);
    if (extension == ".obj" || extension == ".ply")
        return solidBelow(loadMesh(file.file, file.scale, file.up_axis), file.source);
    if (!isGrayPicture(file.file))
        throw Error(ExitCode::Usage, file.source + ": found the extension \"" + clampText(extension, 20) +
                                         "\"; expected a mesh as .obj or .ply, or heights as .exr or .png");
    GrayPicture heights = readGrayPicture(file.file, {"Y", "height", "Z", "R"}, file.source);
    for (float& value : heights.values) value *= static_cast<float>(file.size.y());
    return solidBelow(heightMesh(heights.values, heights.width, file.size.x(), file.size.z()), file.source);
}

}  // namespace firn
