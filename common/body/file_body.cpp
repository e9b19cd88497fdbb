#include "common/body/file_body.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "common/body/animated_file.h"
#include "common/body/animation.h"
#include "common/body/close_holes.h"
#include "common/body/file_mesh_parts.h"
#include "common/body/key_level.h"
#include "common/body/keyed_piece.h"
#include "common/body/level_set.h"
#include "common/body/rigid_piece.h"
#include "common/body/skinned_surface.h"
#include "common/body/text_input.h"
#include "common/error.h"

namespace firn {

namespace {

std::string shortText(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string clipText(const std::string& name)
{
    return name.empty() ? "a clip without a name" : "clip " + quotedName(name);
}

int chooseClip(const AnimatedFile& file, const BodySpec& spec, const std::string& source)
{
    if (spec.clip.empty()) return file.clips.empty() ? -1 : 0;
    std::vector<std::string> names;
    for (std::size_t c = 0; c < file.clips.size(); ++c) {
        if (file.clips[c].name == spec.clip) return static_cast<int>(c);
        names.push_back(file.clips[c].name);
    }
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ", ") + (name.empty() ? "one without a name" : quotedName(name));
    throw Error(ExitCode::Usage, source + ": it has no clip " + quotedName(spec.clip) +
                                     (list.empty() ? "; it has no clips" : "; its clips are " + list));
}

/// The motion of a node that stays rigid, in the body's frame. `rest` leads from the node's frame to the shape's.
class NodeMotion final : public Motion {
public:
    NodeMotion(std::shared_ptr<const Motion> body, std::shared_ptr<const Animation> animation, int node,
               const Affine& toBody, const Mat3d& restInverse)
        : m_body(std::move(body)),
          m_animation(std::move(animation)),
          m_node(node),
          m_toBody(toBody),
          m_restInverse(restInverse)
    {
    }

    Pose pose(double time_s) const override
    {
        std::vector<Affine> world;
        m_animation->pose(time_s, world);
        const Affine node = m_toBody * world[m_node];
        const Mat3d rotation = node.linear() * m_restInverse;
        return m_body->pose(time_s) * Pose{Quatd(rotation).normalized(), node.translation()};
    }
    bool isStatic() const override { return m_body->isStatic() && m_animation->isStill(m_node); }

private:
    std::shared_ptr<const Motion> m_body;
    std::shared_ptr<const Animation> m_animation;
    int m_node;
    Affine m_toBody;
    Mat3d m_restInverse;
};

/// The motion of a body whose file walks in place, with the velocity (m/s, in the body's frame) that lets its feet
/// stand.
class RootMotion final : public Motion {
public:
    RootMotion(std::shared_ptr<const Motion> body, const Vec3d& velocity)
        : m_body(std::move(body)), m_velocity(velocity)
    {
    }
    Pose pose(double time_s) const override
    {
        const Pose pose = m_body->pose(time_s);
        return {pose.rotation, pose.toWorld(time_s * m_velocity)};
    }
    bool isStatic() const override { return m_body->isStatic() && m_velocity.isZero(0); }

private:
    std::shared_ptr<const Motion> m_body;
    Vec3d m_velocity;
};

class Builder {
public:
    Builder(const Scene& scene, const BodySpec& spec)
        : m_scene(scene),
          m_spec(spec),
          m_source(fileSource("body", spec.name, spec.file_place, spec.file)),
          m_file(readAnimatedFile(spec.file, m_source)),
          m_voxel_m(spec.voxel_m > 0 ? spec.voxel_m : 0.5 * scene.solver.dx)
    {
        if (spec.fps != 0)
            throw Error(ExitCode::Usage, m_source +
                                             ": fps is for .bvh files and sequences of meshes; the keys of this "
                                             "file have times in seconds. Use time_scale to change its speed");
        m_toBody.linear() = spec.scale * yUpFrom(spec.up_axis);
        const int clip = chooseClip(m_file, spec, m_source);
        m_animation =
            std::make_shared<const Animation>(m_file, clip, ClipTime{spec.time_offset_s, spec.time_scale, spec.loop});
        if (clip >= 0)
            m_body.clip = clipText(m_file.clips[clip].name) + " of " + shortText(m_animation->length_s()) + " s";
        for (FileMesh& mesh : m_file.meshes) {
            if (!spec.file_colors)
                for (Material& material : mesh.mesh.materials.list) material.color = noColor;
            close(mesh);
        }
    }

    FileBody build(std::shared_ptr<const Motion> motion)
    {
        if (m_spec.root_motion == RootMotionKind::Feet) {
            const Vec3d velocity = -footVelocity();
            motion = std::make_shared<const RootMotion>(std::move(motion), velocity);
            m_body.clip += ", walks at " + shortText(velocity.norm()) + " m/s";
        }
        for (const FileMesh& mesh : m_file.meshes) addPieces(mesh, motion);
        return std::move(m_body);
    }

private:
    SurfaceFriction friction(const TriangleMesh& mesh) const { return {m_spec, mesh.materials, m_source}; }
    double reach_m() const { return 3 * m_scene.solver.dx; }
    KeyLevelOptions levelOptions() const { return {m_voxel_m, reach_m()}; }

    std::shared_ptr<const DeformingSurface> surfaceOf(const FileMesh& mesh) const
    {
        return makeSkinnedSurface(mesh, m_animation, m_toBody);
    }

    std::vector<Vec3d> firstPositions(const FileMesh& mesh) const
    {
        std::vector<Vec3d> vertices;
        surfaceOf(mesh)->positions(0, vertices);
        return vertices;
    }

    /// Closes the mesh in its first pose. The triangles are the same in every pose.
    void close(FileMesh& mesh)
    {
        TriangleMesh posed = makeMesh(firstPositions(mesh), mesh.mesh.triangles);
        posed.materials = mesh.mesh.materials;
        checkCoordinates(posed, m_source);
        weldVertices(posed);
        const ClosedHoles holes = closeFlatHoles(posed);
        const std::string name = m_source + ": mesh " + quotedName(m_file.nodes[mesh.node].name);
        if (holes.count > 0) m_body.remarks.push_back(name + ": " + holesText(holes));
        if (findDefects(posed).boundary_edges > 0) checkClosed(posed, name);
        orientOutward(posed);
        mesh.mesh.triangles = posed.triangles;
        mesh.mesh.materials = posed.materials;
    }

    /// Whether the node's transform is a rotation and a translation after its first pose.
    bool isRigid(const FileMesh& mesh) const
    {
        if (!mesh.bones.empty()) return false;
        if (m_animation->isStill(mesh.node)) return true;
        constexpr double tolerance = 1e-4;
        std::vector<Affine> world;
        Mat3d first = Mat3d::Zero();
        for (std::size_t k = 0; k < m_animation->sampleTimes_s().size(); ++k) {
            m_animation->pose(m_animation->sampleTimes_s()[k], world);
            const Mat3d linear = world[mesh.node].linear(), product = linear.transpose() * linear;
            if (k == 0) first = product;
            if ((product - first).norm() > tolerance * first.norm()) return false;
        }
        return true;
    }

    /// Each connected part of a mesh that deforms is a piece of its own: a part inside another one does not cut it.
    void addPieces(const FileMesh& mesh, const std::shared_ptr<const Motion>& motion)
    {
        if (isRigid(mesh)) {
            m_body.pieces.push_back(rigidPiece(mesh, motion));
            return;
        }
        checkKeyLevel(firstPositions(mesh), mesh.mesh.triangles, levelOptions(), m_source);
        for (const FileMesh& part : partsOfMesh(mesh))
            m_body.pieces.push_back(isRigid(part) && !isThin(part) ? rigidPiece(part, motion)
                                                                   : keyedPiece(part, motion));
    }

    /// Whether a part is too thin for the voxels of a rigid piece, such as a button on a coat.
    bool isThin(const FileMesh& part) const
    {
        const std::vector<Vec3d> vertices = firstPositions(part);
        return !(volumeInVoxels_m3(vertices, part.mesh.triangles, levelOptions()) >
                 0.5 * signedVolume(makeMesh(vertices, part.mesh.triangles)));
    }

    std::shared_ptr<const BodyPiece> rigidPiece(const FileMesh& mesh, const std::shared_ptr<const Motion>& motion) const
    {
        std::vector<Affine> world;
        m_animation->pose(m_animation->sampleTimes_s().front(), world);
        const Mat3d rest = (m_toBody * world[mesh.node]).linear();
        TriangleMesh shape = mesh.mesh;
        transformVertices(shape, rest);
        const std::string& name = m_file.nodes[mesh.node].name;
        return makeRigidPiece(
            {m_spec.name + "." + name, makeLevelSet(std::move(shape), {m_voxel_m, reach_m(), m_source}),
             std::make_shared<const NodeMotion>(motion, m_animation, mesh.node, m_toBody, rest.inverse())},
            friction(mesh.mesh));
    }

    std::shared_ptr<const BodyPiece> keyedPiece(const FileMesh& mesh, const std::shared_ptr<const Motion>& motion) const
    {
        return makeKeyedPiece(surfaceOf(mesh), motion, friction(mesh.mesh), {1 / m_scene.fps, m_voxel_m, reach_m()});
    }

    /// Mean horizontal velocity of the vertices near the ground, over one pass of the clip, in the body's frame.
    Vec3d footVelocity() const
    {
        constexpr double step_s = 1. / 120, height_m = 0.03;
        const int steps = static_cast<int>(m_animation->length_s() / step_s / m_spec.time_scale);
        const double start_s = m_animation->sampleTimes_s().front();
        double lowest = std::numeric_limits<double>::infinity();
        std::vector<std::vector<Vec3d>> poses;
        for (int k = 0; k <= steps; ++k) {
            std::vector<Vec3d>& all = poses.emplace_back();
            for (const FileMesh& mesh : m_file.meshes) {
                std::vector<Vec3d> vertices;
                surfaceOf(mesh)->positions(start_s + k * step_s, vertices);
                all.insert(all.end(), vertices.begin(), vertices.end());
            }
            for (const Vec3d& v : all) lowest = std::min(lowest, v.y());
        }
        Vec3d sum = Vec3d::Zero();
        double count = 0;
        for (int k = 1; k <= steps; ++k)
            for (std::size_t v = 0; v < poses[k].size(); ++v) {
                if (std::max(poses[k - 1][v].y(), poses[k][v].y()) > lowest + height_m) continue;
                sum += (poses[k][v] - poses[k - 1][v]) / step_s;
                ++count;
            }
        if (count == 0)
            throw Error(ExitCode::Usage, m_source + ": root_motion = \"feet\" needs a clip with feet on the ground");
        return {sum.x() / count, 0, sum.z() / count};
    }

    const Scene& m_scene;
    const BodySpec& m_spec;
    const std::string m_source;
    AnimatedFile m_file;
    const double m_voxel_m;
    Affine m_toBody = Affine::Identity();
    std::shared_ptr<const Animation> m_animation;
    FileBody m_body;
};

}  // namespace

FileBody makeFileBody(const Scene& scene, const BodySpec& spec, std::shared_ptr<const Motion> motion)
{
    return Builder(scene, spec).build(std::move(motion));
}

}  // namespace firn
