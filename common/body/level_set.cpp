#include "common/body/level_set.h"

#include <algorithm>
#include <cmath>

#include "common/body/mesh.h"
#include "common/body/narrow_band.h"
#include "common/error.h"

namespace firn {
namespace {

constexpr int brickCells = NarrowBand::brickCells;
constexpr int brickNodes = NarrowBand::brickNodes;
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
        const Vec3d at = (local - m_band.origin) / m_band.voxel_m;
        const Vec3d limit = (brickCells * m_band.bricks).cast<double>();
        if (!((at.array() >= 0).all() && (at.array() < limit.array()).all())) return beyond(local, gradient);
        const Vec3i cell = at.cast<int>(), brick = cell / brickCells;
        const std::int32_t index =
            m_band.table[brick.x() + static_cast<std::size_t>(m_band.bricks.x()) *
                                         (brick.y() + static_cast<std::size_t>(m_band.bricks.y()) * brick.z())];
        if (index == NarrowBand::outsideBrick) return beyond(local, gradient);
        if (index == NarrowBand::insideBrick) return deepInside(local, gradient);

        const Vec3i node = cell - brickCells * brick;
        const Vec3d f = at - cell.cast<double>();
        const float* v = m_band.values[index].data() + node.x() + brickNodes * (node.y() + brickNodes * node.z());
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
        if (length < 1e-3 * m_band.voxel_m) {
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
        throw Error(ExitCode::Usage, options.source + ": with voxels of " + std::to_string(options.voxel_m) +
                                         " m the level set would need about " +
                                         std::to_string(std::llround(band / 1e6)) +
                                         " million voxels; the mesh measures " + sizeText(boundsOf(mesh).sizes()) +
                                         " m: check scale, or use a larger voxel_m (for snow, a larger solver.dx)");
}

}  // namespace

std::shared_ptr<const Shape> makeLevelSet(TriangleMesh mesh, const LevelSetOptions& options)
{
    if (mesh.triangles.empty()) throw Error(ExitCode::Usage, options.source + ": the mesh has no triangles");
    checkSize(mesh, options);
    NarrowBand band = makeNarrowBand(mesh, options.voxel_m, options.band_m);
    if (band.table.empty())
        throw Error(ExitCode::Usage, options.source + ": the mesh gives an empty level set; check scale");
    const double expected = signedVolume(mesh), found = band.volumeInside();
    if (!(found > 0.5 * expected))
        throw Error(ExitCode::Usage, options.source + ": the walls are too thin for voxels of " +
                                         std::to_string(options.voxel_m) + " m: only " + std::to_string(found) +
                                         " of " + std::to_string(expected) + " m^3 remain; use a smaller voxel_m");
    return std::make_shared<LevelSet>(std::move(band), std::move(mesh));
}

}  // namespace firn
