#include "common/body/close_holes.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

namespace firn {

namespace {

using Vec2d = Eigen::Vector2d;

constexpr double flatness = 0.1;  // of a hole's size

/// The loop in its plane, counter-clockwise; nothing if it is not flat.
std::optional<std::vector<Vec2d>> flattened(const TriangleMesh& mesh, std::vector<int>& loop)
{
    Vec3d mean = Vec3d::Zero();
    for (const int v : loop) mean += mesh.vertices[v].cast<double>() / static_cast<double>(loop.size());
    Mat3d spread = Mat3d::Zero();
    for (const int v : loop) {
        const Vec3d d = mesh.vertices[v].cast<double>() - mean;
        spread += d * d.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Mat3d> solver(spread);
    const Vec3d normal = solver.eigenvectors().col(0), x = solver.eigenvectors().col(2), y = normal.cross(x);
    std::vector<Vec2d> points;
    double height = 0, size = 0, area = 0;
    for (const int v : loop) {
        const Vec3d d = mesh.vertices[v].cast<double>() - mean;
        points.emplace_back(x.dot(d), y.dot(d));
        height = std::max(height, std::abs(normal.dot(d)));
        size = std::max(size, d.norm());
    }
    if (height > flatness * size) return std::nullopt;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec2d &a = points[i], &b = points[(i + 1) % points.size()];
        area += a.x() * b.y() - a.y() * b.x();
    }
    if (area < 0) {
        std::reverse(points.begin(), points.end());
        std::reverse(loop.begin(), loop.end());
    }
    return points;
}

double turn(const Vec2d& a, const Vec2d& b, const Vec2d& c)
{
    return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

/// Ear clipping; false if the border crosses itself.
bool fill(const std::vector<Vec2d>& points, const std::vector<int>& loop, std::vector<Vec3i>& triangles)
{
    std::vector<int> left(loop.size());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int>(i);
    const auto isEar = [&](std::size_t i) {
        const int a = left[(i + left.size() - 1) % left.size()], b = left[i], c = left[(i + 1) % left.size()];
        if (turn(points[a], points[b], points[c]) < 0) return false;
        return std::none_of(left.begin(), left.end(), [&](int p) {
            return p != a && p != b && p != c && turn(points[a], points[b], points[p]) > 0 &&
                   turn(points[b], points[c], points[p]) > 0 && turn(points[c], points[a], points[p]) > 0;
        });
    };
    while (left.size() > 2) {
        std::size_t ear = 0;
        while (ear < left.size() && !isEar(ear)) ++ear;
        if (ear == left.size()) return false;
        const int a = left[(ear + left.size() - 1) % left.size()], c = left[(ear + 1) % left.size()];
        triangles.emplace_back(loop[a], loop[left[ear]], loop[c]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    return true;
}

/// Gives `count` further triangles the material that a triangle at a vertex has there.
void addMaterials(TriangleMesh& mesh, int vertex, std::size_t count)
{
    MeshMaterials& materials = mesh.materials;
    if (materials.of.empty()) return;
    std::size_t t = 0;
    while (t + 1 < mesh.triangles.size() && !(mesh.triangles[t].array() == vertex).any()) ++t;
    materials.of.insert(materials.of.end(), count, materials.of[t]);
    if (!materials.hasPictures()) return;
    int corner = 0;
    while (corner < 2 && mesh.triangles[t][corner] != vertex) ++corner;
    const CornerPlaces everywhere = materials.places[t].col(corner).replicate<1, 3>();
    materials.places.insert(materials.places.end(), count, everywhere);
}

/// Triangles from each edge of a loop to a new vertex in its middle.
std::vector<Vec3i> fan(TriangleMesh& mesh, const std::vector<int>& loop)
{
    Vec3d middle = Vec3d::Zero();
    for (const int v : loop) middle += mesh.vertices[v].cast<double>() / static_cast<double>(loop.size());
    const auto center = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(middle.cast<float>());
    std::vector<Vec3i> triangles;
    for (std::size_t i = 0; i < loop.size(); ++i) triangles.emplace_back(loop[i], loop[(i + 1) % loop.size()], center);
    return triangles;
}

}  // namespace

std::vector<std::vector<int>> borderLoops(const TriangleMesh& mesh)
{
    std::map<int, std::vector<int>> neighbours;
    for (const auto& [a, b] : borderEdges(mesh)) {
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    }
    std::vector<std::vector<int>> loops;
    std::map<int, bool> seen;
    for (const auto& [start, unused] : neighbours) {
        std::vector<int> loop;
        bool isSimple = true;
        for (int at = start, before = -1; !seen[at];) {
            seen[at] = true;
            loop.push_back(at);
            const auto& next = neighbours[at];
            isSimple = isSimple && next.size() == 2;
            const int onward = next[0] == before && next.size() > 1 ? next[1] : next[0];
            before = at;
            at = onward;
        }
        if (isSimple && loop.size() >= 3) loops.push_back(std::move(loop));
    }
    return loops;
}

void closeLoop(TriangleMesh& mesh, std::vector<int> loop)
{
    const auto points = flattened(mesh, loop);
    std::vector<Vec3i> triangles;
    if (!points || !fill(*points, loop, triangles)) triangles = fan(mesh, loop);
    mesh.triangles.insert(mesh.triangles.end(), triangles.begin(), triangles.end());
}

ClosedHoles closeFlatHoles(TriangleMesh& mesh)
{
    ClosedHoles closed;
    for (std::vector<int>& loop : borderLoops(mesh)) {
        const auto points = flattened(mesh, loop);
        std::vector<Vec3i> triangles;
        if (!points || !fill(*points, loop, triangles)) continue;
        addMaterials(mesh, loop.front(), triangles.size());
        mesh.triangles.insert(mesh.triangles.end(), triangles.begin(), triangles.end());
        ++closed.count;
        Box3d box;
        for (const int v : loop) box.extend(mesh.vertices[v].cast<double>());
        if (box.sizes().norm() <= closed.largest_m) continue;
        closed.largest_m = box.sizes().norm();
        closed.place = box.center();
    }
    return closed;
}

std::string holesText(const ClosedHoles& holes)
{
    char text[160];
    std::snprintf(text, sizeof text, "closed %d %s, %s%.2g m wide at (%.3g, %.3g, %.3g) m", holes.count,
                  holes.count == 1 ? "hole" : "holes", holes.count == 1 ? "" : "the largest ", holes.largest_m,
                  holes.place.x(), holes.place.y(), holes.place.z());
    return text;
}

}  // namespace firn
