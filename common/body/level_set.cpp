#include "common/body/level_set.h"

#include <cmath>

namespace firn {

namespace {

std::vector<Vec3d> doubles(const std::vector<Vec3f>& vertices)
{
    std::vector<Vec3d> result;
    result.reserve(vertices.size());
    for (const Vec3f& v : vertices) result.push_back(v.cast<double>());
    return result;
}

class LevelSet final : public Shape {
public:
    LevelSet(std::shared_ptr<const TriangleMesh> mesh, const KeyLevelOptions& options)
        : m_mesh(std::move(mesh)),
          m_bounds(boundsOf(*m_mesh)),
          m_level(doubles(m_mesh->vertices), m_mesh->triangles, options)
    {
    }

    double distance(const Vec3d& local, Vec3d& gradient) const override
    {
        const double distance = m_level.distance(local, gradient);
        if (gradient.isZero(0)) gradient = awayFromMiddle(local);
        return distance;
    }
    bool mayTouch(const Vec3d& center, double radius_m) const override { return m_level.mayTouch(center, radius_m); }
    Box3d bounds() const override { return m_bounds; }
    TriangleMesh mesh() const override { return *m_mesh; }
    MeshMaterials materials() const override { return m_mesh->materials; }
    int triangleAt(const Vec3d& local) const override { return m_level.triangleAt(local); }
    bool isMadeOfTriangles() const override { return true; }

private:
    Vec3d awayFromMiddle(const Vec3d& local) const
    {
        const Vec3d away = local - m_bounds.center();
        const double length = away.norm();
        return length > 0 ? Vec3d(away / length) : Vec3d::UnitY();
    }

    const std::shared_ptr<const TriangleMesh> m_mesh;
    const Box3d m_bounds;
    const KeyLevel m_level;
};

}  // namespace

std::shared_ptr<const Shape> makeLevelSet(TriangleMesh mesh, const LevelSetOptions& options)
{
    const KeyLevelOptions voxels{options.voxel_m, options.band_m};
    checkKeyLevel(doubles(mesh.vertices), mesh.triangles, voxels, options.source);
    return makeUncheckedLevelSet(std::make_shared<const TriangleMesh>(std::move(mesh)), voxels);
}

std::shared_ptr<const Shape> makeUncheckedLevelSet(std::shared_ptr<const TriangleMesh> mesh,
                                                   const KeyLevelOptions& options)
{
    return std::make_shared<const LevelSet>(std::move(mesh), options);
}

std::shared_ptr<const Shape> makeBackdropLevelSet(TriangleMesh mesh, double voxel_m, double band_m)
{
    const double voxel = std::max(voxel_m, finestVoxel_m(mesh));
    const bool isOpen = findDefects(mesh).boundary_edges > 0;
    return makeUncheckedLevelSet(std::make_shared<const TriangleMesh>(std::move(mesh)),
                                 {voxel, std::max(band_m, 4 * voxel), isOpen});
}

double finestVoxel_m(const TriangleMesh& mesh)
{
    constexpr double mostBricks = 1 << 24;  // nine bytes each
    return std::cbrt(boundsOf(mesh).volume() / mostBricks) / BrickLattice::brickCells;
}

}  // namespace firn
