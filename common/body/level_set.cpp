#include "common/body/level_set.h"

#include <openvdb/tools/MeshToVolume.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "common/body/mesh.h"
#include "common/error.h"

namespace firn {
namespace {

constexpr int brickCells = 8;               // per axis
constexpr int brickNodes = brickCells + 1;  // neighbours share a layer: no cell straddles bricks
constexpr std::int32_t outsideBrick = -1;
constexpr std::int32_t insideBrick = -2;
constexpr double maxBricks = 1 << 25;  // in the table
constexpr double maxBandVoxels = 3e8;

using Brick = std::array<float, brickNodes * brickNodes * brickNodes>;

/// Distances on the nodes of a grid about the shape, held only in bricks that the narrow band touches.
struct BrickGrid {
    Vec3d origin = Vec3d::Zero();  // of node (0, 0, 0), m
    double voxel_m = 1;
    Vec3i bricks = Vec3i::Zero();
    std::vector<std::int32_t> table;  // x fastest; index into `values`, or one of the two above
    std::vector<Brick> values;
    float outside = 0, inside = 0;  // distances beyond the band
};

class LevelSet final : public Shape {
public:
    LevelSet(BrickGrid grid, TriangleMesh mesh)
        : m_grid(std::move(grid)), m_mesh(std::move(mesh)), m_bounds(boundsOf(m_mesh))
    {
    }

    double distance(const Vec3d& local, Vec3d& gradient) const override
    {
        const Vec3d at = (local - m_grid.origin) / m_grid.voxel_m;
        const Vec3d limit = (brickCells * m_grid.bricks).cast<double>();
        if (!((at.array() >= 0).all() && (at.array() < limit.array()).all())) return beyond(local, gradient);
        const Vec3i cell = at.cast<int>(), brick = cell / brickCells;
        const std::int32_t index =
            m_grid.table[brick.x() + static_cast<std::size_t>(m_grid.bricks.x()) *
                                         (brick.y() + static_cast<std::size_t>(m_grid.bricks.y()) * brick.z())];
        if (index == outsideBrick) return beyond(local, gradient);
        if (index == insideBrick) return deepInside(local, gradient);

        const Vec3i node = cell - brickCells * brick;
        const Vec3d f = at - cell.cast<double>();
        const float* v = m_grid.values[index].data() + node.x() + brickNodes * (node.y() + brickNodes * node.z());
        constexpr int dy = brickNodes, dz = brickNodes * brickNodes;
        // Along x first: values and slopes on the cell's four edges, then along y, then along z.
        const auto mix = [](double a, double b, double t) { return a + t * (b - a); };
        const double v00 = mix(v[0], v[1], f.x()), v10 = mix(v[dy], v[dy + 1], f.x());
        const double v01 = mix(v[dz], v[dz + 1], f.x()), v11 = mix(v[dz + dy], v[dz + dy + 1], f.x());
        const double v0 = mix(v00, v10, f.y()), v1 = mix(v01, v11, f.y());
        gradient.x() = mix(mix(v[1] - v[0], v[dy + 1] - v[dy], f.y()),
                           mix(v[dz + 1] - v[dz], v[dz + dy + 1] - v[dz + dy], f.y()), f.z());
        gradient.y() = mix(v10 - v00, v11 - v01, f.z());
        gradient.z() = v1 - v0;
        const double value = mix(v0, v1, f.z());
        const double length = gradient.norm();
        if (length < 1e-3 * m_grid.voxel_m) {
            value < 0 ? deepInside(local, gradient) : beyond(local, gradient);
            return value;
        }
        gradient /= length;
        return value;
    }

    Box3d bounds() const override { return m_bounds; }
    TriangleMesh mesh() const override { return m_mesh; }

private:
    double beyond(const Vec3d& local, Vec3d& gradient) const
    {
        gradient = awayFromMiddle(local);
        return m_grid.outside;
    }
    double deepInside(const Vec3d& local, Vec3d& gradient) const
    {
        gradient = awayFromMiddle(local);
        return m_grid.inside;
    }
    Vec3d awayFromMiddle(const Vec3d& local) const
    {
        const Vec3d away = local - m_bounds.center();
        const double length = away.norm();
        return length > 0 ? Vec3d(away / length) : Vec3d::UnitY();
    }

    BrickGrid m_grid;
    TriangleMesh m_mesh;
    Box3d m_bounds;
};

void checkSize(const TriangleMesh& mesh, const LevelSetOptions& options)
{
    double area = 0;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d a = mesh.vertices[t[0]].cast<double>();
        area += 0.5 * (mesh.vertices[t[1]].cast<double>() - a).cross(mesh.vertices[t[2]].cast<double>() - a).norm();
    }
    const double band = area * 3 * options.band_m / std::pow(options.voxel_m, 3);
    const Vec3d bricks = boundsOf(mesh).sizes() / (brickCells * options.voxel_m);
    if (!(band <= maxBandVoxels) || !((bricks.array() + 2).prod() <= maxBricks))
        throw Error(ExitCode::Usage, options.source + ": a level set with voxels of " +
                                         std::to_string(options.voxel_m) + " m would take about " +
                                         std::to_string(std::llround(band / 1e6)) +
                                         " million of them; give it a larger voxel_m, or check scale");
}

openvdb::FloatGrid::Ptr narrowBand(const TriangleMesh& mesh, const LevelSetOptions& options)
{
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    points.reserve(mesh.vertices.size());
    triangles.reserve(mesh.triangles.size());
    for (const Vec3f& v : mesh.vertices) points.emplace_back(v.x(), v.y(), v.z());
    for (const Vec3i& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    const auto outer = static_cast<float>(std::max(options.band_m / options.voxel_m, 2.0) + 1);
    return openvdb::tools::meshToSignedDistanceField<openvdb::FloatGrid>(
        *openvdb::math::Transform::createLinearTransform(options.voxel_m), points, triangles, {}, outer, 2 * outer);
}

openvdb::Coord brickCorner(const openvdb::Coord& corner, int x, int y, int z)
{
    return corner.offsetBy(brickCells * x, brickCells * y, brickCells * z);
}

/// Whether the band reaches one of the brick's nodes. Leaves of the grid have the size of bricks and lie on multiples
/// of it, as the bricks do; a brick's last layer of nodes belongs to the leaves after it.
bool touchesBand(const openvdb::FloatTree& tree, const openvdb::Coord& corner)
{
    for (int i = 0; i < 8; ++i)
        if (tree.probeConstLeaf(brickCorner(corner, i & 1, (i >> 1) & 1, i >> 2))) return true;
    return false;
}

BrickGrid bricksOf(const openvdb::FloatGrid& grid)
{
    static_assert(openvdb::FloatTree::LeafNodeType::DIM == brickCells);
    openvdb::CoordBBox box;
    grid.tree().evalLeafBoundingBox(box);
    BrickGrid bricks;
    bricks.voxel_m = grid.voxelSize()[0];
    bricks.outside = grid.background();
    bricks.inside = -bricks.outside;
    const openvdb::Coord first = box.min().offsetBy(-brickCells);
    bricks.origin = Vec3d(first.x(), first.y(), first.z()) * bricks.voxel_m;
    for (int a = 0; a < 3; ++a) bricks.bricks[a] = (box.max()[a] + 1 - first[a]) / brickCells;

    auto accessor = grid.getConstAccessor();
    for (int z = 0; z < bricks.bricks.z(); ++z)
        for (int y = 0; y < bricks.bricks.y(); ++y)
            for (int x = 0; x < bricks.bricks.x(); ++x) {
                const openvdb::Coord corner = brickCorner(first, x, y, z);
                if (!touchesBand(grid.tree(), corner)) {
                    const bool isInside = accessor.getValue(corner) < 0;
                    if (isInside) bricks.inside = accessor.getValue(corner);
                    bricks.table.push_back(isInside ? insideBrick : outsideBrick);
                    continue;
                }
                bricks.table.push_back(static_cast<std::int32_t>(bricks.values.size()));
                float* out = bricks.values.emplace_back().data();
                for (int k = 0; k < brickNodes; ++k)
                    for (int j = 0; j < brickNodes; ++j)
                        for (int i = 0; i < brickNodes; ++i) *out++ = accessor.getValue(corner.offsetBy(i, j, k));
            }
    return bricks;
}

/// Volume of the voxels whose centre is inside, m^3.
double volumeInside(const BrickGrid& grid)
{
    std::size_t inside = 0;
    for (const std::int32_t index : grid.table) {
        if (index == insideBrick) inside += brickCells * brickCells * brickCells;
        if (index < 0) continue;
        for (int n = 0; n < static_cast<int>(grid.values[index].size()); ++n) {
            const bool isShared = n % brickNodes == brickCells || n / brickNodes % brickNodes == brickCells ||
                                  n / (brickNodes * brickNodes) == brickCells;
            inside += !isShared && grid.values[index][n] < 0;
        }
    }
    return static_cast<double>(inside) * std::pow(grid.voxel_m, 3);
}

}  // namespace

std::shared_ptr<const Shape> makeLevelSet(TriangleMesh mesh, const LevelSetOptions& options)
{
    if (mesh.triangles.empty()) throw Error(ExitCode::Usage, options.source + ": the mesh has no triangles");
    checkSize(mesh, options);
    const openvdb::FloatGrid::Ptr grid = narrowBand(mesh, options);
    if (!grid || grid->tree().leafCount() == 0)
        throw Error(ExitCode::Usage, options.source + ": the mesh gives an empty level set; check scale");
    BrickGrid bricks = bricksOf(*grid);
    const double expected = signedVolume(mesh), found = volumeInside(bricks);
    if (!(found > 0.5 * expected))
        throw Error(ExitCode::Usage, options.source + ": of " + std::to_string(expected) + " m^3 only " +
                                         std::to_string(found) + " m^3 are left with voxels of " +
                                         std::to_string(options.voxel_m) +
                                         " m: its walls are too thin for them; give it a smaller voxel_m");
    return std::make_shared<LevelSet>(std::move(bricks), std::move(mesh));
}

std::shared_ptr<const Shape> shapeFromMesh(const TriangleMesh& mesh, double voxel_m)
{
    return makeLevelSet(mesh, {voxel_m, 4 * voxel_m, "mesh"});
}

std::shared_ptr<const Shape> shapeFromVdb(const std::filesystem::path& file, double scale)
{
    double voxel_m = 0;
    TriangleMesh mesh = loadVdbSurface(file, scale, UpAxis::Y, voxel_m);
    return makeLevelSet(std::move(mesh), {voxel_m, 4 * voxel_m, file.string()});
}

}  // namespace firn
