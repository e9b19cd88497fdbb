#include "render/embree_surfaces.h"

#include <embree3/rtcore.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/error.h"

namespace firn {

namespace {

/// Where rays start to see surfaces, per metre of the largest coordinate (at least 1 m): above the rounding of a hit
/// point in float, far below what a picture resolves.
constexpr float selfHitMargin = 1e-5f;

struct SceneRelease {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
struct DeviceRelease {
    void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
};
using ScenePtr = std::unique_ptr<RTCSceneTy, SceneRelease>;
using DevicePtr = std::unique_ptr<RTCDeviceTy, DeviceRelease>;

/// A piece with a surface of triangles, at the current time.
struct Instance {
    const BodyPiece* piece;
    Vec3f albedo;
    RTCGeometry geometry;  // owned by the top scene
    std::shared_ptr<const TriangleMesh> mesh = nullptr;
    ScenePtr scene = nullptr;  // of the mesh
    Box3d bounds = {};         // of the mesh, in its frame
    Pose pose = {};
    Mat3f rotation = Mat3f::Identity();
    std::unique_ptr<const PlacedPiece> placed = nullptr;
};

/// A piece that is a half space, at the current time: points with normal . x < offset are inside.
struct PlanePiece {
    const BodyPiece* piece;
    Vec3f albedo;
    Vec3f normal = Vec3f::UnitY();
    float offset = 0;
};

void* newBuffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t stride, std::size_t count)
{
    void* memory = rtcSetNewGeometryBuffer(geometry, type, 0, format, stride, count);
    if (!memory) throw Error(ExitCode::Failed, "out of memory for triangles");
    return memory;
}

/// Serial, so that the tree does not depend on the number of threads.
void commit(RTCScene scene)
{
    tbb::task_arena serial(1);
    serial.execute([&] { rtcCommitScene(scene); });
}

RTCScene newScene(RTCDevice device)
{
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    return scene;
}

ScenePtr meshScene(RTCDevice device, const TriangleMesh& mesh)
{
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void* vertices =
        newBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, sizeof(Vec3f), mesh.vertices.size());
    std::memcpy(vertices, mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3f));
    void* indices = newBuffer(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, sizeof(Vec3i), mesh.triangles.size());
    std::memcpy(indices, mesh.triangles.data(), mesh.triangles.size() * sizeof(Vec3i));
    rtcCommitGeometry(geometry);
    ScenePtr scene(newScene(device));
    rtcAttachGeometry(scene.get(), geometry);
    rtcReleaseGeometry(geometry);
    commit(scene.get());
    return scene;
}

RTCIntersectContext incoherent()
{
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    return context;
}

float startOf(const Ray& ray) { return selfHitMargin * std::max(1.0f, ray.origin.cwiseAbs().maxCoeff()); }

RTCRay toEmbree(const Ray& ray, float tMax)
{
    RTCRay result{};
    result.org_x = ray.origin.x();
    result.org_y = ray.origin.y();
    result.org_z = ray.origin.z();
    result.dir_x = ray.direction.x();
    result.dir_y = ray.direction.y();
    result.dir_z = ray.direction.z();
    result.tnear = startOf(ray);
    result.tfar = tMax;
    result.mask = ~0u;
    return result;
}

/// Where the ray meets the plane, or a negative number.
float planeHit(const PlanePiece& plane, const Ray& ray)
{
    const float towards = plane.normal.dot(ray.direction);
    return towards == 0 ? -1 : (plane.offset - plane.normal.dot(ray.origin)) / towards;
}

}  // namespace

struct EmbreeSurfaces::Impl {
    std::vector<Body> bodies;  // keeps the pieces alive
    DevicePtr device{rtcNewDevice(nullptr)};
    ScenePtr top;
    std::vector<Instance> instances;  // by Embree's geometry id
    std::vector<PlanePiece> planes;

    void add(const BodyPiece& piece, const Vec3f& albedo, const PieceSurface& surface)
    {
        if (std::holds_alternative<HalfSpace>(surface)) return planes.push_back({&piece, albedo});
        if (std::get<PosedMesh>(surface).mesh->triangles.empty()) return;
        const RTCGeometry geometry = rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_INSTANCE);
        rtcAttachGeometryByID(top.get(), geometry, static_cast<unsigned>(instances.size()));
        rtcReleaseGeometry(geometry);
        instances.push_back({&piece, albedo, geometry});
    }

    /// Rigid pieces keep their mesh and get a new pose; pieces that deform get a new mesh.
    void place(Instance& instance, double time_s)
    {
        const auto [mesh, pose] = std::get<PosedMesh>(instance.piece->surface(time_s));
        if (mesh != instance.mesh) {
            instance.mesh = mesh;
            instance.bounds = boundsOf(*mesh);
            ScenePtr scene = meshScene(device.get(), *mesh);
            rtcSetGeometryInstancedScene(instance.geometry, scene.get());
            instance.scene = std::move(scene);
        }
        instance.pose = pose;
        instance.rotation = pose.rotation.toRotationMatrix().cast<float>();
        instance.placed = instance.piece->place(time_s, 0);
        Eigen::Matrix<float, 3, 4> transform;  // column major
        transform << instance.rotation, pose.translation.cast<float>();
        rtcSetGeometryTransform(instance.geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, transform.data());
        rtcCommitGeometry(instance.geometry);
    }

    /// The shading normal at a hit: of the signed distance where that is close to the triangle's, else the triangle's.
    static Vec3f normalAt(const Instance& instance, const Vec3f& point, const Vec3f& localTriangleNormal)
    {
        const Vec3f triangle = instance.rotation * localTriangleNormal.normalized();
        Vec3d normal;
        instance.placed->distance(point.cast<double>(), normal);
        const Vec3f smooth = normal.cast<float>();
        return smooth.dot(triangle) > 0.7f ? smooth.normalized() : triangle;
    }
};

EmbreeSurfaces::EmbreeSurfaces(const std::vector<Body>& bodies, double time_s) : m(std::make_unique<Impl>())
{
    if (!m->device) throw Error(ExitCode::Failed, "Embree does not start on this machine");
    m->bodies = bodies;
    m->top.reset(newScene(m->device.get()));
    for (const Body& body : m->bodies) {
        if (!body.visible) continue;
        for (const auto& piece : body.pieces) m->add(*piece, body.color.cast<float>(), piece->surface(time_s));
    }
    setTime(time_s);
}

EmbreeSurfaces::~EmbreeSurfaces() = default;

void EmbreeSurfaces::setTime(double time_s)
{
    for (Instance& instance : m->instances) m->place(instance, time_s);
    commit(m->top.get());
    for (PlanePiece& plane : m->planes) {
        const auto half = std::get<HalfSpace>(plane.piece->surface(time_s));
        plane.normal = half.normal.cast<float>();
        plane.offset = static_cast<float>(half.offset_m);
    }
}

bool EmbreeSurfaces::intersect(const Ray& ray, float tMax, SurfaceHit& hit) const
{
    bool found = false;
    for (const PlanePiece& plane : m->planes) {
        const float t = planeHit(plane, ray);
        if (!(t > startOf(ray) && t < tMax)) continue;
        tMax = t;
        hit = {t, plane.normal, plane.albedo};
        found = true;
    }
    if (!m->instances.empty()) {
        RTCIntersectContext context = incoherent();
        RTCRayHit query{toEmbree(ray, tMax), {}};
        query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(m->top.get(), &context, &query);
        if (query.hit.geomID != RTC_INVALID_GEOMETRY_ID) {
            const Instance& instance = m->instances[query.hit.instID[0]];
            const float t = query.ray.tfar;
            const Vec3f triangleNormal(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z);
            hit = {t, Impl::normalAt(instance, ray.at(t), triangleNormal), instance.albedo};
            found = true;
        }
    }
    if (found && hit.normal.dot(ray.direction) > 0) hit.normal = -hit.normal;
    return found;
}

bool EmbreeSurfaces::occluded(const Ray& ray, float tMax) const
{
    for (const PlanePiece& plane : m->planes) {
        const float t = planeHit(plane, ray);
        if (t > startOf(ray) && t < tMax) return true;
    }
    if (m->instances.empty()) return false;
    RTCIntersectContext context = incoherent();
    RTCRay query = toEmbree(ray, tMax);
    rtcOccluded1(m->top.get(), &context, &query);
    return query.tfar < 0;  // Embree says "occluded" by -infinity
}

float EmbreeSurfaces::clearance(const Vec3f& point) const
{
    float least = std::numeric_limits<float>::infinity();
    for (const PlanePiece& plane : m->planes) {
        least = std::min(least, std::abs(plane.normal.dot(point) - plane.offset));
    }
    for (const Instance& instance : m->instances) {
        const Vec3d local = instance.pose.toLocal(point.cast<double>());
        least = std::min(least, static_cast<float>(instance.bounds.exteriorDistance(local)));
    }
    return std::max(0.0f, least - startOf({point, Vec3f::UnitY()}));
}

}  // namespace firn
