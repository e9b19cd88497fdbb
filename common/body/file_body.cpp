#include "common/body/file_body.h"

#include "common/body/close_holes.h"
#include "common/body/file_mesh_parts.h"
#include "common/body/key_level.h"
#include "common/body/keyed_piece.h"
#include "common/body/level_set.h"
#include "common/body/played_file.h"
#include "common/body/rigid_piece.h"
#include "common/error.h"

namespace firn {

namespace {

/// What is unlikely about the first pose of a character, in the body's frame: its size, or that it lies on its back or
/// face with its feet at the origin, as where z is the file's up axis. Empty without a character, and if nothing is.
std::string remarkOnPose(const Box3d& pose)
{
    constexpr double least_m = 0.2, most_m = 20, level = 0.2;
    if (pose.isEmpty()) return "";
    const Vec3d size = pose.sizes();
    const std::string measures = "in its first pose, the character measures " + sizeText(size) + " m";
    if (!(size.maxCoeff() >= least_m && size.maxCoeff() <= most_m))
        return measures + "; characters of 0.2 to 20 m are usual. Is scale right (0.01 for centimetres)?";
    const double feet = std::min(std::abs(pose.min().z()), std::abs(pose.max().z()));
    const bool stands = pose.min().y() > -level * size.y();
    if (stands || size.z() < size.y() || feet > level * size.z()) return "";
    return measures + ", lies along z and reaches below y = 0. Does it need another up_axis?";
}

class Builder {
public:
    Builder(const Scene& scene, const BodySpec& spec)
        : m_scene(scene),
          m_spec(spec),
          m_file(spec),
          m_meshes(m_file.file().meshes),
          m_voxel_m(spec.voxel_m > 0 ? spec.voxel_m : 0.5 * scene.solver.dx)
    {
        m_body.clip = m_file.clipText();
        m_body.remarks = m_file.remarks(scene);
        for (FileMesh& mesh : m_meshes) {
            if (!spec.file_colors) removeColors(mesh.mesh.materials);
            if (!spec.file_gloss) removeGloss(mesh.mesh.materials);
            close(mesh);
        }
        if ((spec.file_colors || spec.file_gloss) && spec.visible) remarkOnPictures();
        if (const std::string remark = remarkOnPose(m_pose); !remark.empty())
            m_body.remarks.push_back(m_file.source() + ": " + remark);
    }

    FileBody build(std::shared_ptr<const Motion> motion)
    {
        motion = m_file.wholeMotion(std::move(motion));
        for (const FileMesh& mesh : m_meshes) addPieces(mesh, motion);
        return std::move(m_body);
    }

private:
    SurfaceFriction friction(const TriangleMesh& mesh) const { return {m_spec, mesh.materials, m_file.source()}; }
    double reach_m() const { return 3 * m_scene.solver.dx; }
    KeyLevelOptions levelOptions() const { return {m_voxel_m, reach_m()}; }

    static void removeColors(MeshMaterials& materials)
    {
        for (Material& material : materials.list) {
            material.color = noColor;
            material.picture.reset();
        }
    }

    static void removeGloss(MeshMaterials& materials)
    {
        for (Material& material : materials.list) {
            material.roughness = material.metalness = -1;
            material.gloss.reset();
        }
    }

    void remarkOnPictures()
    {
        for (const auto& picture : m_file.file().pictures)
            if (picture->bytes.empty())
                m_body.remarks.push_back(picture->name +
                                         " is not in the file, nor in its folder or below; its "
                                         "materials are rendered without it");
        if (!m_spec.file_gloss) return;
        for (const std::string& material : m_file.file().unused_gloss)
            m_body.remarks.push_back(m_file.source() + ": the material " + quotedName(material) +
                                     " is rendered without its picture of roughness and metalness, because that has "
                                     "another set of texture coordinates than its picture of the colour");
    }

    std::vector<Vec3d> firstPositions(const FileMesh& mesh) const
    {
        std::vector<Vec3d> vertices;
        m_file.surfaceOf(mesh)->positions(0, vertices);
        return vertices;
    }

    static constexpr double noticeable = 0.03;  // a hole of that part of the mesh's diagonal

    /// Closes the mesh in its first pose. The triangles are the same in every pose.
    void close(FileMesh& mesh)
    {
        TriangleMesh posed = makeMesh(firstPositions(mesh), mesh.mesh.triangles);
        posed.materials = mesh.mesh.materials;
        checkCoordinates(posed, m_file.source());
        if (!mesh.bones.empty()) m_pose.extend(boundsOf(posed));
        weldVertices(posed);
        const ClosedHoles holes = closeFlatHoles(posed);
        const std::string name = m_file.source() + ": mesh " + quotedName(m_file.file().nodes[mesh.node].name);
        if (holes.largest_m > noticeable * boundsOf(posed).sizes().norm())
            m_body.remarks.push_back(name + ": " + holesText(holes));
        else if (holes.count > 0)
            m_body.closed += (m_body.closed.empty() ? "" : "; ") + holesText(holes);
        if (m_spec.collides && findDefects(posed).boundary_edges > 0) checkClosed(posed, name);
        orientOutward(posed);
        mesh.mesh.triangles = posed.triangles;
        mesh.mesh.materials = posed.materials;
    }

    /// Whether the node's transform is a rotation and a translation after its first pose.
    bool isRigid(const FileMesh& mesh) const
    {
        if (!mesh.bones.empty()) return false;
        if (m_file.animation().isStill(mesh.node)) return true;
        constexpr double tolerance = 1e-4;
        std::vector<Affine> world;
        Mat3d first = Mat3d::Zero();
        for (std::size_t k = 0; k < m_file.animation().sampleTimes_s().size(); ++k) {
            m_file.animation().pose(m_file.animation().sampleTimes_s()[k], world);
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
        if (m_spec.collides) checkKeyLevel(firstPositions(mesh), mesh.mesh.triangles, levelOptions(), m_file.source());
        for (const FileMesh& part : partsOfMesh(mesh))
            m_body.pieces.push_back(isRigid(part) && !(m_spec.collides && isThin(part)) ? rigidPiece(part, motion)
                                                                                        : keyedPiece(part, motion));
    }

    /// Whether a part is too thin for the voxels of a rigid piece, such as a button on a coat.
    bool isThin(const FileMesh& part) const
    {
        const std::vector<Vec3d> vertices = firstPositions(part);
        return !(volumeInVoxels_m3(vertices, part.mesh.triangles, levelOptions()) >
                 0.5 * signedVolume(makeMesh(vertices, part.mesh.triangles)));
    }

    std::shared_ptr<const Shape> levelSet(TriangleMesh shape) const
    {
        if (m_spec.collides) return makeLevelSet(std::move(shape), {m_voxel_m, reach_m(), m_file.source()});
        return makeBackdropLevelSet(std::move(shape), m_voxel_m, reach_m());
    }

    std::shared_ptr<const BodyPiece> rigidPiece(const FileMesh& mesh, const std::shared_ptr<const Motion>& motion) const
    {
        const Mat3d rest = m_file.restOf(mesh.node);
        TriangleMesh shape = mesh.mesh;
        transformVertices(shape, rest);
        const std::string& name = m_file.file().nodes[mesh.node].name;
        return makeRigidPiece({m_spec.name + "." + name, levelSet(std::move(shape)),
                               m_file.nodeMotion(motion, mesh.node, rest.inverse())},
                              friction(mesh.mesh));
    }

    std::shared_ptr<const BodyPiece> keyedPiece(const FileMesh& mesh, const std::shared_ptr<const Motion>& motion) const
    {
        return makeKeyedPiece(m_file.surfaceOf(mesh), motion, friction(mesh.mesh),
                              {1 / m_scene.fps, m_voxel_m, reach_m()});
    }

    const Scene& m_scene;
    const BodySpec& m_spec;
    const PlayedFile m_file;
    std::vector<FileMesh> m_meshes;  // closed
    const double m_voxel_m;
    Box3d m_pose;  // of all meshes that bend, at time 0
    FileBody m_body;
};

}  // namespace

FileBody makeFileBody(const Scene& scene, const BodySpec& spec, std::shared_ptr<const Motion> motion)
{
    return Builder(scene, spec).build(std::move(motion));
}

}  // namespace firn
