#include "common/body/mesh.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "common/body/vertex_sets.h"
#include "common/error.h"

namespace firn {
namespace {

/// One side of a triangle; sorting by vertices brings the triangles of an edge together.
struct Side {
    int low, high;
    int triangle;
    bool forward;  // the triangle runs from low to high

    bool sameEdge(const Side& other) const { return low == other.low && high == other.high; }
};

std::vector<Side> sortedSides(const TriangleMesh& mesh)
{
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
        for (int c = 0; c < 3; ++c) {
            const int a = mesh.triangles[t][c], b = mesh.triangles[t][(c + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), t, a < b});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::array{a.low, a.high, a.triangle} < std::array{b.low, b.high, b.triangle};
    });
    return sides;
}

/// Calls f(first, last) for the sides of each edge.
template <class F>
void forEachEdge(const std::vector<Side>& sides, F&& f)
{
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].sameEdge(sides[i])) ++end;
        f(sides.begin() + static_cast<std::ptrdiff_t>(i), sides.begin() + static_cast<std::ptrdiff_t>(end));
        i = end;
    }
}

/// Centre of the vertices that `edges` touch, and the vertex nearest to it.
void locate(const TriangleMesh& mesh, const std::vector<std::array<int, 2>>& edges, MeshDefects& defects)
{
    Vec3d sum = Vec3d::Zero();
    for (const auto& edge : edges)
        for (const int v : edge) sum += mesh.vertices[v].cast<double>();
    defects.place = sum / (2.0 * static_cast<double>(edges.size()));
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& edge : edges)
        for (const int v : edge) {
            const double d = (mesh.vertices[v].cast<double>() - defects.place).squaredNorm();
            if (d < nearest) {
                nearest = d;
                defects.nearest_vertex = v;
            }
        }
}

std::string textOf(const Vec3d& p)
{
    char text[96];
    std::snprintf(text, sizeof text, "(%.4g, %.4g, %.4g)", p.x(), p.y(), p.z());
    return text;
}

}  // namespace

MeshMaterials MeshMaterials::some(const std::vector<int>& triangles) const
{
    if (of.empty()) return {};
    MeshMaterials result{list, {}, {}};
    result.of.reserve(triangles.size());
    for (const int t : triangles) result.of.push_back(of[static_cast<std::size_t>(t)]);
    if (!hasPictures()) return result;
    result.places.reserve(triangles.size());
    for (const int t : triangles) result.places.push_back(places[static_cast<std::size_t>(t)]);
    return result;
}

TriangleMesh makeMesh(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles)
{
    TriangleMesh mesh;
    mesh.triangles = triangles;
    mesh.vertices.reserve(vertices.size());
    for (const Vec3d& v : vertices) mesh.vertices.push_back(v.cast<float>());
    return mesh;
}

double signedVolume(const TriangleMesh& mesh)
{
    double sum = 0;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d a = mesh.vertices[t[0]].cast<double>(), b = mesh.vertices[t[1]].cast<double>(),
                    c = mesh.vertices[t[2]].cast<double>();
        sum += a.dot(b.cross(c));
    }
    return sum / 6;
}

Box3d boundsOf(const TriangleMesh& mesh)
{
    Box3d box;
    for (const Vec3f& v : mesh.vertices) box.extend(v.cast<double>());
    return box;
}

std::string sizeText(const Vec3d& size)
{
    char text[80];
    std::snprintf(text, sizeof text, "%.4g x %.4g x %.4g", size.x(), size.y(), size.z());
    return text;
}

void transformVertices(TriangleMesh& mesh, const Mat3d& matrix)
{
    for (Vec3f& v : mesh.vertices) v = (matrix * v.cast<double>()).cast<float>();
}

MeshDefects findDefects(const TriangleMesh& mesh)
{
    std::vector<std::array<int, 2>> boundary, nonManifold;
    const std::vector<Side> sides = sortedSides(mesh);
    forEachEdge(sides, [&](auto first, auto last) {
        if (last - first == 1) boundary.push_back({first->low, first->high});
        if (last - first > 2) nonManifold.push_back({first->low, first->high});
    });
    MeshDefects defects;
    defects.boundary_edges = boundary.size();
    defects.non_manifold_edges = nonManifold.size();
    if (boundary.empty()) {
        if (!nonManifold.empty()) locate(mesh, nonManifold, defects);
        return defects;
    }
    VertexSets sets(mesh.vertices.size());
    for (const auto& edge : boundary) sets.join(edge[0], edge[1]);
    std::unordered_map<int, std::vector<std::array<int, 2>>> holes;
    int largest = sets.find(boundary.front()[0]);
    for (const auto& edge : boundary) holes[sets.find(edge[0])].push_back(edge);
    for (const auto& edge : boundary)  // in edge order: the same hole wins every time
        if (const int hole = sets.find(edge[0]); holes[hole].size() > holes[largest].size()) largest = hole;
    defects.holes = holes.size();
    locate(mesh, holes[largest], defects);
    return defects;
}

void checkCoordinates(const TriangleMesh& mesh, const std::string& source)
{
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (!(mesh.vertices[v].cwiseAbs().maxCoeff() < 1e6f))
            throw Error(ExitCode::Usage, source + ": vertex " + std::to_string(v + 1) +
                                             " is not within 1000 km of the origin; check scale");
}

void checkClosed(const TriangleMesh& mesh, const std::string& source)
{
    if (mesh.triangles.empty()) throw Error(ExitCode::Usage, source + ": the mesh has no triangles");
    const MeshDefects defects = findDefects(mesh);
    if (defects.none()) return;
    const std::string where = " at " + textOf(defects.place) + " m, near vertex " +
                              std::to_string(defects.nearest_vertex + 1) + " at " +
                              textOf(mesh.vertices[defects.nearest_vertex].cast<double>()) + " m";
    if (defects.boundary_edges > 0)
        throw Error(ExitCode::Usage, source + ": the mesh is not closed: " + std::to_string(defects.boundary_edges) +
                                         " open edges around " + std::to_string(defects.holes) +
                                         (defects.holes == 1 ? " hole" : " holes, the largest") + where +
                                         "; expected a surface that encloses a volume. For ground, shape = "
                                         "\"terrain\" accepts an open surface (.obj, .ply); collides = false "
                                         "accepts any mesh that snow need not touch");
    throw Error(ExitCode::Usage, source + ": the mesh has " + std::to_string(defects.non_manifold_edges) +
                                     " edges with more than two triangles, centred" + where +
                                     "; expected two triangles at each edge");
}

void weldVertices(TriangleMesh& mesh)
{
    const auto before = [&](int a, int b) {
        const Vec3f &p = mesh.vertices[a], &q = mesh.vertices[b];
        if (p != q) return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
        return a < b;
    };
    std::vector<int> order(mesh.vertices.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), before);
    std::vector<int> first(order.size());  // the lowest index at the same position
    for (std::size_t i = 0; i < order.size(); ++i)
        first[order[i]] =
            i > 0 && mesh.vertices[order[i]] == mesh.vertices[order[i - 1]] ? first[order[i - 1]] : order[i];

    std::size_t kept = 0;
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
        const Vec3i& old = mesh.triangles[k];
        const Vec3i t(first[old[0]], first[old[1]], first[old[2]]);
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        if (!mesh.materials.of.empty()) mesh.materials.of[kept] = mesh.materials.of[k];
        if (mesh.materials.hasPictures()) mesh.materials.places[kept] = mesh.materials.places[k];
        mesh.triangles[kept++] = t;
    }
    mesh.triangles.resize(kept);
    if (!mesh.materials.of.empty()) mesh.materials.of.resize(kept);
    if (mesh.materials.hasPictures()) mesh.materials.places.resize(kept);
}

std::vector<std::array<int, 2>> borderEdges(const TriangleMesh& mesh)
{
    std::vector<std::array<int, 2>> edges;
    forEachEdge(sortedSides(mesh), [&](auto first, auto last) {
        if (last - first != 1) return;
        if (first->forward)
            edges.push_back({first->low, first->high});
        else
            edges.push_back({first->high, first->low});
    });
    return edges;
}

void orientOutward(TriangleMesh& mesh)
{
    struct Neighbour {
        int triangle;
        bool agrees;
    };
    std::vector<std::array<Neighbour, 3>> neighbours(mesh.triangles.size());
    std::vector<int> known(mesh.triangles.size(), 0);
    forEachEdge(sortedSides(mesh), [&](auto first, auto last) {
        if (last - first != 2) return;
        const bool agrees = first->forward != first[1].forward;
        const int a = first->triangle, b = first[1].triangle;
        if (known[a] < 3) neighbours[a][known[a]++] = {b, agrees};
        if (known[b] < 3) neighbours[b][known[b]++] = {a, agrees};
    });
    std::vector<bool> flipped(mesh.triangles.size(), false);
    const auto flip = [&](int t) {
        std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
        if (mesh.materials.hasPictures()) {
            CornerPlaces& places = mesh.materials.places[static_cast<std::size_t>(t)];
            places.col(1).swap(places.col(2));
        }
        flipped[t] = !flipped[t];
    };
    std::vector<bool> seen(mesh.triangles.size(), false);
    std::vector<int> part;
    for (int seed = 0; seed < static_cast<int>(seen.size()); ++seed) {
        if (seen[seed]) continue;
        seen[seed] = true;
        part.assign(1, seed);
        double volume = 0;  // six times, by tetrahedra from a vertex of the part
        const Vec3d origin = mesh.vertices[mesh.triangles[seed][0]].cast<double>();
        for (std::size_t i = 0; i < part.size(); ++i) {
            const Vec3i t = mesh.triangles[part[i]];
            const auto corner = [&](int c) { return Vec3d(mesh.vertices[t[c]].cast<double>() - origin); };
            volume += corner(0).dot(corner(1).cross(corner(2)));
            for (int n = 0; n < known[part[i]]; ++n) {
                const auto [other, agreesAsRead] = neighbours[part[i]][n];
                if (seen[other]) continue;
                seen[other] = true;
                if (agreesAsRead == flipped[part[i]]) flip(other);
                part.push_back(other);
            }
        }
        if (volume < 0)
            for (const int t : part) flip(t);
    }
}

}  // namespace firn
