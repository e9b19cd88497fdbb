#include "common/body/mesh_shape.h"

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

class MeshShape final : public Shape {
public:
    MeshShape(std::shared_ptr<const TriangleMesh> mesh, const KeyLevelOptions& options)
        : m_mesh(std::move(mesh)), m_level(doubles(m_mesh->vertices), m_mesh->triangles, options)
    {
    }

    double distance(const Vec3d& local, Vec3d& gradient) const override { return m_level.distance(local, gradient); }
    bool mayTouch(const Vec3d& center, double radius_m) const override { return m_level.mayTouch(center, radius_m); }
    Box3d bounds() const override { return boundsOf(*m_mesh); }
    TriangleMesh mesh() const override { return *m_mesh; }
    bool isMadeOfTriangles() const override { return true; }

private:
    const std::shared_ptr<const TriangleMesh> m_mesh;
    const KeyLevel m_level;
};

}  // namespace

double finestMeshVoxel_m(const TriangleMesh& mesh)
{
    constexpr double mostBricks = 1 << 24;  // nine bytes each
    return std::cbrt(boundsOf(mesh).volume() / mostBricks) / BrickLattice::brickCells;
}

std::shared_ptr<const Shape> makeMeshShape(std::shared_ptr<const TriangleMesh> mesh, const KeyLevelOptions& options)
{
    return std::make_shared<const MeshShape>(std::move(mesh), options);
}

}  // namespace firn
