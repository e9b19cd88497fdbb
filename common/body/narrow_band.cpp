#include "common/body/narrow_band.h"

#include <algorithm>
#include <cmath>

#include "common/body/openvdb_grids.h"

namespace firn {
namespace {

constexpr int brickCells = BrickLattice::brickCells;
constexpr int brickNodes = BrickLattice::brickNodes;

openvdb::FloatGrid::Ptr distancesOf(const TriangleMesh& mesh, double voxel_m, double band_m)
{
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    points.reserve(mesh.vertices.size());
    triangles.reserve(mesh.triangles.size());
    for (const Vec3f& v : mesh.vertices) points.emplace_back(v.x(), v.y(), v.z());
    for (const Vec3i& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    const auto outer = static_cast<float>(std::max(band_m / voxel_m, 2.0) + 1);
    const float inner = 2 * outer;
    openvdb::util::NullInterrupter interrupter;
    return openvdb::tools::meshToSignedDistanceField<openvdb::FloatGrid>(
        interrupter, *openvdb::math::Transform::createLinearTransform(voxel_m), points, triangles, {}, outer, inner);
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

}  // namespace

double NarrowBand::volumeInside() const
{
    std::size_t count = 0;
    for (const std::int32_t index : table) {
        if (index == insideBrick) count += brickCells * brickCells * brickCells;
        if (index < 0) continue;
        for (int n = 0; n < static_cast<int>(values[index].size()); ++n) {
            const bool isShared = (BrickLattice::nodeOf(n).array() == brickCells).any();
            count += !isShared && values[index][n] < 0;
        }
    }
    return static_cast<double>(count) * std::pow(lattice.voxel_m, 3);
}

NarrowBand makeNarrowBand(const TriangleMesh& mesh, double voxel_m, double band_m)
{
    static_assert(openvdb::FloatTree::LeafNodeType::DIM == brickCells);
    NarrowBand band;
    const openvdb::FloatGrid::Ptr grid = distancesOf(mesh, voxel_m, band_m);
    openvdb::CoordBBox box;
    if (!grid || !grid->tree().evalLeafBoundingBox(box)) return band;
    BrickLattice& lattice = band.lattice;
    lattice.voxel_m = grid->voxelSize()[0];
    band.outside = grid->background();
    band.inside = -band.outside;
    const openvdb::Coord first = box.min().offsetBy(-brickCells);
    lattice.origin = Vec3d(first.x(), first.y(), first.z()) * lattice.voxel_m;
    for (int a = 0; a < 3; ++a) lattice.bricks[a] = (box.max()[a] + 1 - first[a]) / brickCells;

    auto accessor = grid->getConstAccessor();
    for (int z = 0; z < lattice.bricks.z(); ++z)
        for (int y = 0; y < lattice.bricks.y(); ++y)
            for (int x = 0; x < lattice.bricks.x(); ++x) {
                const openvdb::Coord corner = brickCorner(first, x, y, z);
                if (!touchesBand(grid->tree(), corner)) {
                    const bool isInside = accessor.getValue(corner) < 0;
                    if (isInside) band.inside = accessor.getValue(corner);
                    band.table.push_back(isInside ? NarrowBand::insideBrick : NarrowBand::outsideBrick);
                    continue;
                }
                band.table.push_back(static_cast<std::int32_t>(band.values.size()));
                float* out = band.values.emplace_back().data();
                for (int k = 0; k < brickNodes; ++k)
                    for (int j = 0; j < brickNodes; ++j)
                        for (int i = 0; i < brickNodes; ++i) *out++ = accessor.getValue(corner.offsetBy(i, j, k));
            }
    return band;
}

}  // namespace firn
