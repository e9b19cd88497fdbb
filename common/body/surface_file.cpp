#include "common/body/surface_file.h"

#include <algorithm>

#include "common/body/level_set.h"
#include "common/body/mesh_file.h"
#include "common/body/motion.h"
#include "common/body/text_input.h"
#include "common/body/vdb_surface.h"

namespace firn {

namespace {

Vec3d pivotOf(const TriangleMesh& mesh, Pivot pivot)
{
    if (pivot == Pivot::Origin) return Vec3d::Zero();
    const Box3d bounds = boundsOf(mesh);
    Vec3d point = bounds.center();
    if (pivot == Pivot::Base) point.y() = bounds.min().y();
    return point;
}

void place(const SurfaceFile& file, TriangleMesh& mesh)
{
    const Vec3d pivot = pivotOf(mesh, file.pivot);
    const Quatd turn = rotationFromEuler(file.rotation_deg);
    if (pivot.isZero(0) && file.rotation_deg.isZero(0)) return;
    for (Vec3f& v : mesh.vertices) v = (turn * (v.cast<double>() - pivot)).cast<float>();
}

}  // namespace

std::shared_ptr<const Shape> shapeFromFile(const SurfaceFile& file)
{
    TriangleMesh mesh;
    double voxel = file.least_voxel_m;
    if (file.is_vdb) {
        double fileVoxel_m = 0;
        mesh = loadVdbSurface(file.file, file.scale, file.up_axis, fileVoxel_m);
        voxel = std::max(voxel, fileVoxel_m);
    } else {
        mesh = loadMesh(file.file, file.scale, file.up_axis);
        if (file.is_solid) checkClosed(mesh, file.source);
    }
    if (file.voxel_m > 0) voxel = file.voxel_m;
    place(file, mesh);
    if (!file.is_solid) return makeBackdropLevelSet(std::move(mesh), voxel, file.band_m);
    return makeLevelSet(std::move(mesh), {voxel, std::max(file.band_m, 4 * voxel), file.source});
}

TriangleMesh loadVdbSurface(const std::filesystem::path& file, double scale, UpAxis upAxis, double& voxel_m)
{
    auto [mesh, voxel] = readVdbSurface(file);
    transformVertices(mesh, scale * yUpFrom(upAxis));
    // Edges with more than two faces are usual where surfaces touch.
    if (findDefects(mesh).boundary_edges > 0) checkClosed(mesh, file.string());
    if (signedVolume(mesh) < 0)
        for (Vec3i& t : mesh.triangles) std::swap(t[1], t[2]);
    voxel_m = scale * voxel;
    return mesh;
}

}  // namespace firn
