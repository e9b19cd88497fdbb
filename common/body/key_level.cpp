#include "common/body/key_level.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/body/mesh.h"
#include "common/error.h"

namespace firn {

namespace {

constexpr int brickCells = BrickLattice::brickCells, brickNodes = BrickLattice::brickNodes;

/// Bricks that hold all points within `reach_m` of the vertices, with corners at multiples of their size.
BrickLattice latticeAround(const std::vector<Vec3d>& vertices, const KeyLevelOptions& options)
{
    Box3d box;
    for (const Vec3d& v : vertices) box.extend(v);
    if (vertices.empty()) box.extend(Vec3d::Zero());
    const double size_m = brickCells * options.voxel_m;
    const Vec3d reach = Vec3d::Constant(options.reach_m);
    const Vec3d first = ((box.min() - reach) / size_m).array().floor(), last = ((box.max() + reach) / size_m).array();
    BrickLattice lattice;
    lattice.origin = size_m * first;
    lattice.voxel_m = options.voxel_m;
    lattice.bricks = (last.array().floor().matrix() - first).cast<int>() + Vec3i::Ones();
    return lattice;
}

/// Calls f for the bricks of a lattice that a box overlaps.
template <class F>
void forEachBrick(const BrickLattice& lattice, const Box3d& box, F&& f)
{
    const double size_m = brickCells * lattice.voxel_m;
    const Vec3d most = (lattice.bricks - Vec3i::Ones()).cast<double>();
    const auto brickAt = [&](const Vec3d& point) -> Vec3d {
        return ((point - lattice.origin) / size_m).array().floor();
    };
    const Vec3d below = brickAt(box.min()), above = brickAt(box.max());
    if ((below.array() > most.array()).any() || (above.array() < 0).any()) return;
    const Vec3i low = below.cwiseMax(0).cast<int>(), high = above.cwiseMin(most).cast<int>();
    for (int z = low.z(); z <= high.z(); ++z)
        for (int y = low.y(); y <= high.y(); ++y)
            for (int x = low.x(); x <= high.x(); ++x) f(Vec3i(x, y, z));
}

Box3d boxAround(const Vec3d& center, double half_m)
{
    return {center - Vec3d::Constant(half_m), center + Vec3d::Constant(half_m)};
}

/// Refuses level sets with too many voxels.
void checkVoxels(const TriangleMesh& mesh, const KeyLevelOptions& options, const std::string& source)
{
    constexpr double maxBricks = 1 << 25;
    constexpr double maxBandVoxels = 3e8;
    double area = 0;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d a = mesh.vertices[t[0]].cast<double>();
        area += 0.5 * (mesh.vertices[t[1]].cast<double>() - a).cross(mesh.vertices[t[2]].cast<double>() - a).norm();
    }
    const double band = area * 3 * options.reach_m / std::pow(options.voxel_m, 3);
    const Vec3d bricks = boundsOf(mesh).sizes() / (brickCells * options.voxel_m);
    if (!(band <= maxBandVoxels) || !((bricks.array() + 2).prod() <= maxBricks))
        throw Error(ExitCode::Usage, source + ": with voxels of " + std::to_string(options.voxel_m) +
                                         " m the level set would need about " +
                                         std::to_string(std::llround(band / 1e6)) +
                                         " million voxels; the mesh measures " + sizeText(boundsOf(mesh).sizes()) +
                                         " m: check scale, or use a larger voxel_m (for snow, a larger solver.dx)");
}

std::string percentText(double part, double whole)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.0f %%", whole > 0 ? 100 * part / whole : 0.);
    return text;
}

/// Refuses walls of which less than half is in voxels.
void checkWalls(const TriangleMesh& mesh, double found_m3, const KeyLevelOptions& options, const std::string& source)
{
    const double expected = signedVolume(mesh);
    if (!(found_m3 > 0.5 * expected))
        throw Error(ExitCode::Usage,
                    source + ": the walls are too thin for voxels of " + std::to_string(options.voxel_m) + " m: only " +
                        percentText(found_m3, expected) + " of their volume remain; the mesh measures " +
                        sizeText(boundsOf(mesh).sizes()) + " m: check scale, or use a smaller voxel_m");
}

}  // namespace

KeyLevel::KeyLevel(std::vector<Vec3d> vertices, const std::vector<Vec3i>& triangles, const KeyLevelOptions& options)
    : m_vertices(std::move(vertices)),
      m_triangles(triangles),
      m_options(options),
      m_lattice(latticeAround(m_vertices, options))
{
}

KeyLevel::Parts::Parts(const KeyLevel& level, WindingRows ofNodes)
    : search(level.m_vertices, level.m_triangles),
      rows(std::move(ofNodes)),
      kinds(level.kindsOfBricks(rows)),
      bricks(level.m_lattice.brickCount())
{
}

const KeyLevel::Parts& KeyLevel::parts() const
{
    std::call_once(m_once, [&] {
        const std::vector<Vec3i> none;  // nothing is inside an open surface
        m_parts = std::make_unique<const Parts>(
            *this, WindingRows(m_vertices, m_options.is_open ? none : m_triangles, m_lattice));
    });
    return *m_parts;
}

std::vector<KeyLevel::Kind> KeyLevel::kindsOfBricks(const WindingRows& rows) const
{
    std::vector<Kind> kinds(m_lattice.brickCount(), Kind::Outside);
    const Vec3d reach = Vec3d::Constant(m_options.reach_m);
    for (const Vec3i& t : m_triangles) {
        Box3d box;
        for (int c = 0; c < 3; ++c) box.extend(m_vertices[t[c]]);
        forEachBrick(m_lattice, {box.min() - reach, box.max() + reach},
                     [&](const Vec3i& brick) { kinds[m_lattice.indexOf(brick)] = Kind::Near; });
    }
    std::size_t index = 0;
    for (int z = 0; z < m_lattice.bricks.z(); ++z)
        for (int y = 0; y < m_lattice.bricks.y(); ++y)
            for (int x = 0; x < m_lattice.bricks.x(); ++x, ++index)
                if (kinds[index] != Kind::Near && rows.isInside(brickCells * Vec3i(x, y, z)))
                    kinds[index] = Kind::Inside;
    return kinds;
}

/// Nodes in groups of 3^3: a group's own set of triangles is small.
std::unique_ptr<const KeyLevel::Brick> KeyLevel::makeBrick(const Parts& parts, const Vec3i& place) const
{
    constexpr int group = 3;
    static_assert(brickNodes % group == 0);
    const double voxel_m = m_lattice.voxel_m;
    const Vec3i corner = brickCells * place;
    const auto middle = [&](const Vec3i& first, int nodes) -> Vec3d {
        return m_lattice.nodePosition(first) + Vec3d::Constant(0.5 * (nodes - 1) * voxel_m);
    };
    const auto radius = [&](int nodes) { return std::sqrt(3.0) * 0.5 * (nodes - 1) * voxel_m; };
    auto brick = std::make_unique<Brick>();
    const std::vector<int> ofBrick = parts.search.around(middle(corner, brickNodes), radius(brickNodes));
    SurfacePoint nearest;
    for (int g = 0; g < brickNodes * brickNodes * brickNodes / (group * group * group); ++g) {
        const int groups = brickNodes / group;
        const Vec3i first = group * Vec3i(g % groups, g / groups % groups, g / (groups * groups));
        NearestTriangles::Set ofGroup = parts.search.set(middle(corner + first, group), radius(group), ofBrick);
        for (int k = 0; k < group * group * group; ++k) {
            const Vec3i inBrick = first + Vec3i(k % group, k / group % group, k / (group * group));
            const Vec3i node = corner + inBrick;
            const double distance = ofGroup.find(m_lattice.nodePosition(node), nearest);
            const int n = inBrick.x() + brickNodes * (inBrick.y() + brickNodes * inBrick.z());
            brick->distances[n] = static_cast<float>(parts.rows.isInside(node) ? -distance : distance);
            brick->nearest[n] = nearest;
        }
    }
    return brick;
}

const KeyLevel::Brick* KeyLevel::brick(std::size_t index) const
{
    const Parts& made = parts();
    if (made.kinds[index] != Kind::Near) return nullptr;
    const auto x = static_cast<std::size_t>(m_lattice.bricks.x()), y = static_cast<std::size_t>(m_lattice.bricks.y());
    const Vec3i place(static_cast<int>(index % x), static_cast<int>(index / x % y), static_cast<int>(index / (x * y)));
    return &made.bricks.get(index, [&] { return makeBrick(made, place); });
}

double KeyLevel::distance(const Vec3d& point, Vec3d& gradient) const
{
    gradient = Vec3d::Zero();
    const LatticePlace place = placeIn(m_lattice, point);
    if (place.brick == LatticePlace::nowhere) return m_options.reach_m;
    const Brick* made = brick(place.brick);
    if (!made) return parts().kinds[place.brick] == Kind::Inside ? -m_options.reach_m : m_options.reach_m;
    const double distance = trilinear(made->distances.data() + place.node, place.share, gradient);
    const double length = gradient.norm();
    gradient = length < 1e-3 * m_lattice.voxel_m ? Vec3d::Zero() : Vec3d(gradient / length);
    return distance;
}

int KeyLevel::triangleAt(const Vec3d& point) const
{
    const LatticePlace place = placeIn(m_lattice, point);
    const Brick* made = place.brick == LatticePlace::nowhere ? nullptr : brick(place.brick);
    if (!made) return -1;
    const auto next = [&](int axis) { return place.share[axis] < 0.5 ? 0 : 1; };
    return made->nearest[place.node + next(0) + brickNodes * (next(1) + brickNodes * next(2))].triangle;
}

bool KeyLevel::mayTouch(const Vec3d& center, double radius_m) const
{
    const Parts& made = parts();
    bool touches = false;
    forEachBrick(m_lattice, boxAround(center, radius_m),
                 [&](const Vec3i& place) { touches |= made.kinds[m_lattice.indexOf(place)] != Kind::Outside; });
    return touches;
}

KeyVectors::KeyVectors(std::shared_ptr<const KeyLevel> level, const std::vector<Vec3d>& ofVertices)
    : m_level(std::move(level)), m_bricks(m_level->lattice().brickCount())
{
    m_ofVertices.reserve(ofVertices.size());
    for (const Vec3d& v : ofVertices) m_ofVertices.push_back(v.cast<float>());
}

bool KeyVectors::at(const Vec3d& point, Vec3d& result) const
{
    const LatticePlace place = placeIn(m_level->lattice(), point);
    if (place.brick == LatticePlace::nowhere) return false;
    const KeyLevel::Brick* level = m_level->brick(place.brick);
    if (!level) return false;
    const Brick& brick = m_bricks.get(place.brick, [&] {
        auto made = std::make_unique<Brick>();
        for (std::size_t n = 0; n < made->size(); ++n) {
            const SurfacePoint& p = level->nearest[n];
            const Vec3i& t = m_level->triangles()[p.triangle];
            (*made)[n] = p.weights[0] * m_ofVertices[t[0]] + p.weights[1] * m_ofVertices[t[1]] +
                         p.weights[2] * m_ofVertices[t[2]];
        }
        return made;
    });
    const Vec3f* v = brick.data() + place.node;
    constexpr int dy = brickNodes, dz = brickNodes * brickNodes;
    const Vec3f share = place.share.cast<float>();
    const auto mix = [](const Vec3f& a, const Vec3f& b, float t) -> Vec3f { return a + t * (b - a); };
    const Vec3f v0 = mix(mix(v[0], v[1], share.x()), mix(v[dy], v[dy + 1], share.x()), share.y());
    const Vec3f v1 = mix(mix(v[dz], v[dz + 1], share.x()), mix(v[dz + dy], v[dz + dy + 1], share.x()), share.y());
    result = mix(v0, v1, share.z()).cast<double>();
    return true;
}

double volumeInVoxels_m3(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles,
                         const KeyLevelOptions& options)
{
    return WindingRows(vertices, triangles, latticeAround(vertices, options)).volumeInside_m3();
}

void checkKeyLevel(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles,
                   const KeyLevelOptions& options, const std::string& source)
{
    const TriangleMesh mesh = makeMesh(vertices, triangles);
    if (triangles.empty()) throw Error(ExitCode::Usage, source + ": the mesh has no triangles");
    checkVoxels(mesh, options, source);
    checkWalls(mesh, volumeInVoxels_m3(vertices, triangles, options), options, source);
}

}  // namespace firn
