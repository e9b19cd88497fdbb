#include "render/embree_surfaces.h"

#include <embree3/rtcore.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

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

/// A piece with a finite surface.
struct Instance {
    const BodyPiece* piece;
    Vec3f albedo;
    RTCGeometry geometry;  // owned by the top scene
    Box3d bounds;          // of the triangles, local
    Pose pose = {};
    Mat3f rotation = Mat3f::Identity();
};

/// A piece that is a half space: points with n.x < offset are inside.
struct PlanePiece {
    const BodyPiece* piece;
    Vec3f albedo;
    Vec3f normal;
    float offset;
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

bool isPlane(const Shape& shape) { return !shape.bounds().sizes().allFinite(); }

}  // namespace

struct EmbreeSurfaces::Impl {
    std::vector<Body> bodies;  // keeps shapes and motions alive
    DevicePtr device{rtcNewDevice(nullptr)};
    std::map<const Shape*, ScenePtr> shapes;
    ScenePtr top;
    std::vector<Instance> instances;  // by Embree's geometry id
    std::vector<PlanePiece> planes;

    void addMesh(const BodyPiece& piece, const Vec3f& albedo)
    {
        ScenePtr& scene = shapes[piece.shape.get()];
        const TriangleMesh mesh = piece.shape->mesh();
        if (mesh.triangles.empty()) return;
        if (!scene) scene = meshScene(device.get(), mesh);
        Instance instance{&piece, albedo, rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_INSTANCE), {}, {}};
        for (const Vec3f& vertex : mesh.vertices) instance.bounds.extend(vertex.cast<double>());
        rtcSetGeometryInstancedScene(instance.geometry, scene.get());
        rtcAttachGeometryByID(top.get(), instance.geometry, static_cast<unsigned>(instances.size()));
        rtcReleaseGeometry(instance.geometry);
        instances.push_back(instance);
    }

    /// The shading normal at a hit: of the signed distance where that is close to the triangle's, else the triangle's.
    static Vec3f normalAt(const Instance& instance, const Vec3f& point, const Vec3f& localTriangleNormal)
    {
        const Vec3f triangle = instance.rotation * localTriangleNormal.normalized();
        Vec3d gradient;
        instance.piece->shape->distance(instance.pose.toLocal(point.cast<double>()), gradient);
        const Vec3f smooth = (instance.pose.rotation * gradient).cast<float>();
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
        for (const BodyPiece& piece : body.pieces) {
            const Vec3f albedo = body.color.cast<float>();
            if (isPlane(*piece.shape)) {
                m->planes.push_back({&piece, albedo, Vec3f::UnitY(), 0});
            } else {
                m->addMesh(piece, albedo);
            }
        }
    }
    setTime(time_s);
}

EmbreeSurfaces::~EmbreeSurfaces() = default;

void EmbreeSurfaces::setTime(double time_s)
{
    for (Instance& instance : m->instances) {
        instance.pose = instance.piece->motion->pose(time_s);
        instance.rotation = instance.pose.rotation.toRotationMatrix().cast<float>();
        Eigen::Matrix<float, 3, 4> transform;  // column major
        transform << instance.rotation, instance.pose.translation.cast<float>();
        rtcSetGeometryTransform(instance.geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, transform.data());
        rtcCommitGeometry(instance.geometry);
    }
    commit(m->top.get());
    for (PlanePiece& plane : m->planes) {
        const Pose pose = plane.piece->motion->pose(time_s);
        Vec3d gradient;
        const double distance = plane.piece->shape->distance(Vec3d::Zero(), gradient);
        const Vec3d normal = pose.rotation * gradient;
        plane.normal = normal.cast<float>();
        plane.offset = static_cast<float>(normal.dot(pose.translation) - distance);
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
