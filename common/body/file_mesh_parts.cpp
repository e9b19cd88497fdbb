#include "common/body/file_mesh_parts.h"

#include "common/body/mesh_parts.h"

namespace firn {

namespace {

FileMesh takePart(const FileMesh& mesh, MeshPart part)
{
    FileMesh result;
    result.node = mesh.node;
    result.bones = mesh.bones;
    result.mesh.triangles = std::move(part.triangles);
    result.mesh.materials = mesh.mesh.materials.some(part.numbers);
    result.first.push_back(0);
    for (const int v : part.vertices) {
        result.mesh.vertices.push_back(mesh.mesh.vertices[v]);
        if (mesh.bones.empty()) continue;
        result.influences.insert(result.influences.end(), mesh.influences.begin() + mesh.first[v],
                                 mesh.influences.begin() + mesh.first[v + 1]);
        result.first.push_back(static_cast<int>(result.influences.size()));
    }
    return result;
}

/// The bone that all vertices follow, or -1.
int onlyBone(const FileMesh& mesh)
{
    if (mesh.influences.empty()) return -1;
    const int bone = mesh.influences.front().bone;
    for (const FileInfluence& influence : mesh.influences)
        if (influence.bone != bone && influence.weight > 0) return -1;
    return bone;
}

/// Moves the mesh into the frame of a bone's node.
void attach(FileMesh& mesh, const FileBone& bone)
{
    for (Vec3f& v : mesh.mesh.vertices) v = (bone.offset * v.cast<double>()).cast<float>();
    mesh.node = bone.node;
    mesh.bones.clear();
    mesh.influences.clear();
    mesh.first.clear();
}

}  // namespace

std::vector<FileMesh> partsOfMesh(const FileMesh& mesh)
{
    std::vector<FileMesh> parts;
    for (MeshPart& part : connectedParts(mesh.mesh.triangles, mesh.mesh.vertices.size())) {
        parts.push_back(takePart(mesh, std::move(part)));
        if (const int bone = onlyBone(parts.back()); bone >= 0) attach(parts.back(), mesh.bones[bone]);
    }
    return parts;
}

}  // namespace firn
