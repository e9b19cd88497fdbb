#include "render/embree_meshes.h"

#include <tbb/task_arena.h>

#include <cstddef>

#include "common/error.h"

namespace firn {

namespace {

/// Edges between triangles of a model that turn by more than this are sharp.
constexpr float crease_rad = 40 * static_cast<float>(pi) / 180;

void* newBuffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t stride, std::size_t count)
{
    void* memory = rtcSetNewGeometryBuffer(geometry, type, 0, format, stride, count);
    if (!memory) throw Error(ExitCode::Failed, "out of memory for triangles");
    return memory;
}

ScenePtr meshScene(RTCDevice device, const TriangleMesh& mesh)
{
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void* vertices =
        newBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, sizeof(Vec3f), mesh.vertices.size());
    std::uninitialized_copy(mesh.vertices.begin(), mesh.vertices.end(), static_cast<Vec3f*>(vertices));
    void* indices = newBuffer(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, sizeof(Vec3i), mesh.triangles.size());
    std::uninitialized_copy(mesh.triangles.begin(), mesh.triangles.end(), static_cast<Vec3i*>(indices));
    rtcCommitGeometry(geometry);
    ScenePtr scene(newEmbreeScene(device));
    rtcAttachGeometry(scene.get(), geometry);
    rtcReleaseGeometry(geometry);
    commitSerially(scene.get());
    return scene;
}

}  // namespace

void commitSerially(RTCScene scene)
{
    tbb::task_arena serial(1);
    serial.execute([&] { rtcCommitScene(scene); });
}

RTCScene newEmbreeScene(RTCDevice device)
{
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    return scene;
}

std::shared_ptr<const MeshScene> makeMeshScene(RTCDevice device, const PosedMesh& posed)
{
    return std::make_shared<const MeshScene>(
        MeshScene{posed.mesh, meshScene(device, *posed.mesh), boundsOf(*posed.mesh),
                  posed.is_model ? cornerNormals(*posed.mesh, crease_rad) : std::vector<CornerNormals>{}});
}

}  // namespace firn
