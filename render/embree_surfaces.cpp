#include "render/embree_surfaces.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "common/error.h"
#include "render/embree_meshes.h"
#include "render/matte.h"
#include "render/posed_boxes.h"
#include "render/texture.h"

namespace firn {

namespace {

/// Where rays start to see surfaces, per metre of the largest coordinate (at least 1 m): above the rounding of a hit
/// point in float, far below what a picture resolves.
constexpr float selfHitMargin = 1e-5f;

struct DeviceRelease {
    void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
};

/// How the body of a piece looks.
struct Look {
    SurfaceMaterial material;
    Vec3f emission;
    bool is_holdout, catches_shadows;
    std::uint32_t matte;
    LaidTexture picture;  // replaces the colour if it has a texture

    /// At a point with a normal, in the frame of the piece.
    SurfaceMaterial materialAt(const Vec3f& point, const Vec3f& normal) const
    {
        SurfaceMaterial result = material;
        if (picture.texture) result.color = picture.at(point, normal);
        return result;
    }
};

/// The pictures of a material; nullptr where it has none.
struct MaterialTextures {
    std::shared_ptr<const Texture> color, gloss;
};

/// A piece with a surface of triangles.
struct Instance {
    const BodyPiece* piece;
    Look look;
    std::shared_ptr<const MeshScene> mesh;
    RTCGeometry geometry;                       // owned by the top scene
    Pose pose;                                  // when the shutter opens
    Mat3f rotation;                             // of that pose
    std::unique_ptr<const PlacedPiece> placed;  // at that time
    bool moves;                                 // while the shutter is open
    std::vector<MaterialTextures> textures;     // of each material of the mesh

    /// At the barycentric coordinates of Embree.
    SurfaceMaterial materialAt(std::size_t triangle, float u, float v) const
    {
        const MeshMaterials& materials = mesh->mesh->materials;
        SurfaceMaterial result = look.material;
        if (materials.of.empty()) return result;
        const Material& material = materials.ofTriangle(triangle);
        const MaterialTextures& pictures = textures[static_cast<std::size_t>(materials.of[triangle])];
        const Vec2f place =
            materials.hasPictures() ? Vec2f(materials.places[triangle] * Vec3f(1 - u - v, u, v)) : Vec2f(Vec2f::Zero());
        result.color = materials.colorOf(triangle, pictures.color ? Vec3f::Ones() : result.color);
        if (pictures.color) result.color.array() *= pictures.color->at(place).array();
        if (material.roughness >= 0) result.roughness = material.roughness;
        if (material.metalness >= 0) result.metalness = material.metalness;
        if (pictures.gloss) {
            const Vec3f factors = pictures.gloss->dataAt(place);
            result.roughness *= factors.y();
            result.metalness *= factors.z();
        }
        result.roughness = std::max(result.roughness, SurfaceMaterial::leastRoughness);
        return result;
    }
};

using Transform = Eigen::Matrix<float, 3, 4>;

/// The points x with normal . x = offset.
struct PlaneEquation {
    Vec3f normal;
    float offset;
};

/// A piece that is a half space.
struct PlanePiece {
    const BodyPiece* piece;
    Look look;
    PlaneEquation plane;  // when the shutter opens
    bool moves;           // while the shutter is open
};

/// Poses at the time steps: one where the piece rests or deforms.
std::vector<Pose> posesOf(const BodyPiece& piece, const PosedMesh& first, const Shutter& shutter)
{
    constexpr int intervals = 4;  // a turn of 30 degrees in one interval leaves its arc by 3 % of the arm
    std::vector<Pose> poses = {first.pose};
    if (shutter.isInstant() || piece.isStatic()) return poses;
    for (int k = 1; k <= intervals; ++k) {
        const auto next = std::get<PosedMesh>(piece.surface(shutter.time_s(static_cast<float>(k) / intervals)));
        if (next.mesh != first.mesh) return {first.pose};
        poses.push_back(next.pose);
    }
    return poses;
}

/// A rotation and a translation, between which Embree turns and moves evenly.
RTCQuaternionDecomposition decompose(const Pose& pose, const Quatd& towards)
{
    Quatd turn = pose.rotation;
    if (turn.dot(towards) < 0) turn.coeffs() = -turn.coeffs();  // the shorter way round
    RTCQuaternionDecomposition result;
    rtcInitQuaternionDecomposition(&result);
    rtcQuaternionDecompositionSetQuaternion(&result, static_cast<float>(turn.w()), static_cast<float>(turn.x()),
                                            static_cast<float>(turn.y()), static_cast<float>(turn.z()));
    rtcQuaternionDecompositionSetTranslation(&result, static_cast<float>(pose.translation.x()),
                                             static_cast<float>(pose.translation.y()),
                                             static_cast<float>(pose.translation.z()));
    return result;
}

void setTransforms(const Instance& instance, const std::vector<Pose>& poses)
{
    if (poses.size() == 1) {
        Transform transform;  // column major
        transform << instance.rotation, instance.pose.translation.cast<float>();
        rtcSetGeometryTransform(instance.geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, transform.data());
    } else {
        rtcSetGeometryTimeStepCount(instance.geometry, static_cast<unsigned>(poses.size()));
        Quatd last = poses.front().rotation;
        for (std::size_t k = 0; k < poses.size(); ++k) {
            const RTCQuaternionDecomposition turn = decompose(poses[k], last);
            rtcSetGeometryTransformQuaternion(instance.geometry, static_cast<unsigned>(k), &turn);
            last = Quatd(turn.quaternion_r, turn.quaternion_i, turn.quaternion_j, turn.quaternion_k);
        }
    }
    rtcCommitGeometry(instance.geometry);
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
    result.time = ray.time;
    result.mask = ~0u;
    return result;
}

/// Where the ray meets the plane, or a negative number.
float planeHit(const PlaneEquation& plane, const Ray& ray)
{
    const float towards = plane.normal.dot(ray.direction);
    return towards == 0 ? -1 : (plane.offset - plane.normal.dot(ray.origin)) / towards;
}

/// A shading normal may point away from a ray that meets its triangle at a small angle. It is then turned until it is
/// perpendicular to the ray.
Vec3f turnTowards(const Vec3f& normal, const Vec3f& direction)
{
    const float along = normal.dot(direction);
    return along <= 0 ? normal : (normal - along * direction).normalized();
}

PlaneEquation equationOf(const PieceSurface& surface)
{
    const auto& half = std::get<HalfSpace>(surface);
    return {half.normal.cast<float>(), static_cast<float>(half.offset_m)};
}

}  // namespace

struct EmbreeSurfaces::Impl {
    std::shared_ptr<const std::vector<Body>> bodies;  // keeps the pieces alive
    std::shared_ptr<RTCDeviceTy> device;
    Shutter shutter;
    ScenePtr top;
    std::vector<Instance> instances;  // by Embree's geometry id
    std::vector<PlanePiece> planes;
    PosedBoxes boxes;  // around the instances while the shutter is open
    Textures textures;

    /// Takes bodies and device of `before`, and its meshes where they are still the same.
    Impl(const Impl& before, const Shutter& whileOpen)
        : bodies(before.bodies), device(before.device), shutter(whileOpen), textures(before.textures)
    {
        build(before.instances);
    }

    Look lookOf(const Body& body)
    {
        return {{body.color.cast<float>(), static_cast<float>(body.roughness), static_cast<float>(body.metalness)},
                body.emission.cast<float>(),
                body.holdout || body.shadow_catcher,
                body.shadow_catcher,
                matteId(body.name),
                {textures.of(body.picture), static_cast<float>(body.picture_width_m)}};
    }

    Impl(const std::vector<Body>& all, const Shutter& whileOpen)
        : bodies(std::make_shared<const std::vector<Body>>(all)),
          device(rtcNewDevice(nullptr), DeviceRelease()),
          shutter(whileOpen)
    {
        if (!device) throw Error(ExitCode::Failed, "Embree does not start on this machine");
        build({});
    }

    void build(const std::vector<Instance>& before)
    {
        top.reset(newEmbreeScene(device.get()));
        for (const Body& body : *bodies) {
            if (!body.visible) continue;
            const Look look = lookOf(body);
            for (const auto& piece : body.pieces) add(*piece, look, before);
        }
        commitSerially(top.get());
    }

    void add(const BodyPiece& piece, const Look& look, const std::vector<Instance>& before)
    {
        const PieceSurface surface = piece.surface(shutter.open_s);
        const bool moves = !shutter.isInstant() && !piece.isStatic();
        if (std::holds_alternative<HalfSpace>(surface)) {
            planes.push_back({&piece, look, equationOf(surface), moves});
            return;
        }
        const auto& posed = std::get<PosedMesh>(surface);
        if (posed.mesh->triangles.empty()) return;
        const std::vector<Pose> poses = posesOf(piece, posed, shutter);
        Instance instance{&piece,
                          look,
                          sceneOf(posed, before),
                          rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_INSTANCE),
                          posed.pose,
                          posed.pose.rotation.toRotationMatrix().cast<float>(),
                          piece.place(shutter.open_s, 0),
                          poses.size() > 1,
                          texturesOf(posed.mesh->materials)};
        if (instance.moves) {
            boxes.add({}, piece.bounds(shutter.open_s, shutter.close_s - shutter.open_s));
        } else {
            boxes.add(instance.pose, instance.mesh->bounds);
        }
        rtcSetGeometryInstancedScene(instance.geometry, instance.mesh->scene.get());
        setTransforms(instance, poses);
        rtcAttachGeometryByID(top.get(), instance.geometry, static_cast<unsigned>(instances.size()));
        rtcReleaseGeometry(instance.geometry);
        instances.push_back(std::move(instance));
    }

    /// Of each material. Throws Error(File) if a picture is damaged.
    std::vector<MaterialTextures> texturesOf(const MeshMaterials& materials)
    {
        std::vector<MaterialTextures> result;
        result.reserve(materials.list.size());
        for (const Material& material : materials.list)
            result.push_back({textures.of(material.picture), textures.of(material.gloss)});
        return result;
    }

    std::shared_ptr<const MeshScene> sceneOf(const PosedMesh& posed, const std::vector<Instance>& before) const
    {
        const auto same = std::find_if(before.begin(), before.end(),
                                       [&](const Instance& instance) { return instance.mesh->mesh == posed.mesh; });
        return same != before.end() ? same->mesh : makeMeshScene(device.get(), posed);
    }

    PlaneEquation planeAt(const PlanePiece& piece, float time) const
    {
        return piece.moves ? equationOf(piece.piece->surface(shutter.time_s(time))) : piece.plane;
    }

    /// The rotation of an instance at a time of the shutter, and its translation in the last column.
    static Transform transformAt(const Instance& instance, float time)
    {
        Transform transform;  // column major
        if (instance.moves) {
            rtcGetGeometryTransform(instance.geometry, time, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, transform.data());
        } else {
            transform << instance.rotation, instance.pose.translation.cast<float>();
        }
        return transform;
    }

    /// At a hit, where the normal of the surface is `normal`.
    SurfaceMaterial materialAt(const RTCHit& hit, const Ray& ray, float t, const Vec3f& normal) const
    {
        const Instance& instance = instances[hit.instID[0]];
        if (!instance.look.picture.texture) return instance.materialAt(hit.primID, hit.u, hit.v);
        const Transform frame = transformAt(instance, ray.time);
        const Mat3f toFrame = frame.leftCols<3>().transpose();
        return instance.look.materialAt(toFrame * (ray.at(t) - frame.col(3)), toFrame * normal);
    }

    /// The normal of the signed distance, where that is close to the triangle's.
    Vec3f distanceNormal(const Instance& instance, const Vec3f& point, float time, const Vec3f& triangle) const
    {
        Vec3d normal;
        if (instance.moves) {
            instance.piece->place(shutter.time_s(time), 0)->distance(point.cast<double>(), normal);
        } else {
            instance.placed->distance(point.cast<double>(), normal);
        }
        const Vec3f smooth = normal.cast<float>();
        return smooth.dot(triangle) > 0.7f ? smooth.normalized() : triangle;
    }

    /// The shading normal at a hit, towards the ray: between the corners of a model's triangle, and of the signed
    /// distance for other surfaces.
    Vec3f normalAt(const RTCHit& hit, const Ray& ray, float t) const
    {
        const Instance& instance = instances[hit.instID[0]];
        const Mat3f rotation = transformAt(instance, ray.time).leftCols<3>();
        const Vec3f triangle = rotation * Vec3f(hit.Ng_x, hit.Ng_y, hit.Ng_z).normalized();
        Vec3f normal = instance.mesh->normals.empty()
                           ? distanceNormal(instance, ray.at(t), ray.time, triangle)
                           : Vec3f(rotation * interpolate(instance.mesh->normals[hit.primID], hit.u, hit.v));
        if (triangle.dot(ray.direction) > 0) normal = -normal;
        return turnTowards(normal, ray.direction);
    }
};

EmbreeSurfaces::EmbreeSurfaces(const std::vector<Body>& bodies, const Shutter& shutter)
    : EmbreeSurfaces(std::make_unique<const Impl>(bodies, shutter))
{
}

EmbreeSurfaces::EmbreeSurfaces(std::unique_ptr<const Impl> impl) : m(std::move(impl)) {}

EmbreeSurfaces::EmbreeSurfaces(EmbreeSurfaces&&) noexcept = default;

EmbreeSurfaces::~EmbreeSurfaces() = default;

EmbreeSurfaces EmbreeSurfaces::at(const Shutter& shutter) const
{
    return EmbreeSurfaces(std::make_unique<const Impl>(*m, shutter));
}

bool EmbreeSurfaces::intersect(const Ray& ray, float tMax, SurfaceHit& hit) const
{
    bool found = false;
    for (const PlanePiece& piece : m->planes) {
        const PlaneEquation plane = m->planeAt(piece, ray.time);
        const float t = planeHit(plane, ray);
        if (!(t > startOf(ray) && t < tMax)) continue;
        tMax = t;
        hit = {.t = t,
               .normal = plane.normal.dot(ray.direction) > 0 ? Vec3f(-plane.normal) : plane.normal,
               .material = piece.look.materialAt(ray.at(t), plane.normal),
               .emission = piece.look.emission,
               .is_holdout = piece.look.is_holdout,
               .matte = piece.look.matte,
               .catches_shadows = piece.look.catches_shadows};
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
            const Vec3f normal = m->normalAt(query.hit, ray, t);
            hit = {.t = t,
                   .normal = normal,
                   .material = m->materialAt(query.hit, ray, t, normal),
                   .emission = instance.look.emission,
                   .is_holdout = instance.look.is_holdout,
                   .matte = instance.look.matte,
                   .catches_shadows = instance.look.catches_shadows};
            found = true;
        }
    }
    return found;
}

bool EmbreeSurfaces::emits() const
{
    return std::ranges::any_of(*m->bodies, [](const Body& body) { return body.visible && !body.emission.isZero(0); });
}

bool EmbreeSurfaces::catchShadows() const
{
    return std::ranges::any_of(*m->bodies, [](const Body& body) { return body.visible && body.shadow_catcher; });
}

bool EmbreeSurfaces::occluded(const Ray& ray, float tMax) const
{
    for (const PlanePiece& piece : m->planes) {
        const float t = planeHit(m->planeAt(piece, ray.time), ray);
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
    float least = infinity;
    for (const PlanePiece& piece : m->planes) {
        if (piece.moves) return 0;
        least = std::min(least, std::abs(piece.plane.normal.dot(point) - piece.plane.offset));
    }
    least = std::min(least, m->boxes.distance(point));
    return std::max(0.0f, least - startOf({point, Vec3f::UnitY()}));
}

}  // namespace firn
