#include "common/body/level_set.h"

#include <algorithm>
#include <cmath>

#include "common/body/mesh.h"
#include "common/body/narrow_band.h"
#include "common/error.h"

namespace firn {
namespace {

constexpr double maxBricks = 1 << 25;  // in the table
constexpr double maxBandVoxels = 3e8;

class LevelSet final : public Shape {
public:
    LevelSet(NarrowBand band, TriangleMesh mesh)
        : m_band(std::move(band)), m_mesh(std::move(mesh)), m_bounds(boundsOf(m_mesh))
    {
    }

    double distance(const Vec3d& local, Vec3d& gradient) const override
    {
        const LatticePlace place = placeIn(m_band.lattice, local);
        if (place.brick == LatticePlace::nowhere) return beyond(local, gradient);
        const std::int32_t brick = m_band.table[place.brick];
        if (brick == NarrowBand::outsideBrick) return beyond(local, gradient);
        if (brick == NarrowBand::insideBrick) return deepInside(local, gradient);
        const double value = trilinear(m_band.values[brick].data() + place.node, place.share, gradient);
        const double length = gradient.norm();
        if (length < 1e-3 * m_band.lattice.voxel_m) {
            value < 0 ? deepInside(local, gradient) : beyond(local, gradient);
            return value;
        }
        gradient /= length;
        return value;
    }

    Box3d bounds() const override { return m_bounds; }
    TriangleMesh mesh() const override { return m_mesh; }
    bool isMadeOfTriangles() const override { return true; }

private:
    double beyond(const Vec3d& local, Vec3d& gradient) const
    {
        gradient = awayFromMiddle(local);
        return m_band.outside;
    }
    double deepInside(const Vec3d& local, Vec3d& gradient) const
    {
        gradient = awayFromMiddle(local);
        return m_band.inside;
    }
    Vec3d awayFromMiddle(const Vec3d& local) const
    {
        const Vec3d away = local - m_bounds.center();
        const double length = away.norm();
        return length > 0 ? Vec3d(away / length) : Vec3d::UnitY();
    }

    NarrowBand m_band;
    TriangleMesh m_mesh;
    Box3d m_bounds;
};

NarrowBand makeCheckedBand(const TriangleMesh& mesh, const LevelSetOptions& options)
{
    checkVoxels(mesh, options);
    NarrowBand band = makeNarrowBand(mesh, options.voxel_m, options.band_m);
    if (band.table.empty())
        throw Error(ExitCode::Usage, options.source + ": the mesh gives an empty level set; check scale");
    checkWalls(mesh, band.volumeInside(), options);
    return band;
}

}  // namespace

void checkVoxels(const TriangleMesh& mesh, const LevelSetOptions& options)
{
    if (mesh.triangles.empty()) throw Error(ExitCode::Usage, options.source + ": the mesh has no triangles");
    double area = 0;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d a = mesh.vertices[t[0]].cast<double>();
        area += 0.5 * (mesh.vertices[t[1]].cast<double>() - a).cross(mesh.vertices[t[2]].cast<double>() - a).norm();
    }
    const double band = area * 3 * options.band_m / std::pow(options.voxel_m, 3);
    const Vec3d bricks = boundsOf(mesh).sizes() / (BrickLattice::brickCells * options.voxel_m);
    if (!(band <= maxBandVoxels) || !((bricks.array() + 2).prod() <= maxBricks))
        throw Error(ExitCode::Usage, options.source + ": with voxels of " + std::to_string(options.voxel_m) +
                                         " m the level set would need about " +
                                         std::to_string(std::llround(band / 1e6)) +
                                         " million voxels; the mesh measures " + sizeText(boundsOf(mesh).sizes()) +
                                         " m: check scale, or use a larger voxel_m (for snow, a larger solver.dx)");
}

void checkWalls(const TriangleMesh& mesh, double found_m3, const LevelSetOptions& options)
{
    const double expected = signedVolume(mesh);
    if (!(found_m3 > 0.5 * expected))
        throw Error(ExitCode::Usage, options.source + ": the walls are too thin for voxels of " +
                                         std::to_string(options.voxel_m) + " m: only " + std::to_string(found_m3) +
                                         " of " + std::to_string(expected) + " m^3 remain; the mesh measures " +
                                         sizeText(boundsOf(mesh).sizes()) +
                                         " m: check scale, or use a smaller voxel_m");
}

std::shared_ptr<const Shape> makeLevelSet(TriangleMesh mesh, const LevelSetOptions& options)
{
    NarrowBand band = makeCheckedBand(mesh, options);
    return std::make_shared<LevelSet>(std::move(band), std::move(mesh));
}

}  // namespace firn
