#include "common/body/animated_file.h"

#include <algorithm>
#include <cmath>

#include "common/body/import_file.h"
#include "common/error.h"
#include "common/io/bytes.h"
#include "common/io/extension.h"
#include "common/io/isolated.h"

namespace firn {

namespace {

/// Calls f for each part of a track, in the order of the bytes.
template <class Track, class F>
void forEachPart(Track& track, F&& f)
{
    f(track.node);
    f(track.translation.times_s);
    f(track.translation.values);
    f(track.rotation.times_s);
    f(track.rotation.values);
    f(track.scale.times_s);
    f(track.scale.values);
}

using Pictures = std::vector<std::shared_ptr<const EncodedPicture>>;

/// Its number in the list, or the length of the list without a picture.
std::size_t numberOf(const std::shared_ptr<const EncodedPicture>& picture, const Pictures& pictures)
{
    return static_cast<std::size_t>(std::ranges::find(pictures, picture) - pictures.begin());
}

void put(ByteWriter& out, const FileMesh& mesh, const Pictures& pictures)
{
    out.put(mesh.node);
    out.put(mesh.mesh.vertices);
    out.put(mesh.mesh.triangles);
    out.put(mesh.mesh.materials.list.size());
    for (const Material& material : mesh.mesh.materials.list) {
        out.put(material.name);
        out.put(material.color);
        out.put(material.roughness);
        out.put(material.metalness);
        out.put(numberOf(material.picture, pictures));
        out.put(numberOf(material.gloss, pictures));
    }
    out.put(mesh.mesh.materials.of);
    out.put(mesh.mesh.materials.places);
    out.put(mesh.bones.size());
    for (const FileBone& bone : mesh.bones) {
        out.put(bone.node);
        out.put(bone.offset);
    }
    out.put(mesh.influences);
    out.put(mesh.first);
}

void get(ByteReader& in, FileMesh& mesh, const Pictures& pictures)
{
    in.get(mesh.node);
    in.get(mesh.mesh.vertices);
    in.get(mesh.mesh.triangles);
    mesh.mesh.materials.list.resize(in.size(sizeof(Vec3f)));
    for (Material& material : mesh.mesh.materials.list) {
        in.get(material.name);
        in.get(material.color);
        in.get(material.roughness);
        in.get(material.metalness);
        for (auto* const picture : {&material.picture, &material.gloss}) {
            std::size_t number = 0;
            in.get(number);
            if (number < pictures.size()) *picture = pictures[number];
        }
    }
    in.get(mesh.mesh.materials.of);
    in.get(mesh.mesh.materials.places);
    mesh.bones.resize(in.size(sizeof(int)));
    for (FileBone& bone : mesh.bones) {
        in.get(bone.node);
        in.get(bone.offset);
    }
    in.get(mesh.influences);
    in.get(mesh.first);
}

/// The numbers of a camera.
template <class Camera, class Visit>
void forEachValue(Camera& camera, const Visit& visit)
{
    visit(camera.node);
    visit(camera.forward);
    visit(camera.up);
    visit(camera.field_rad);
    visit(camera.is_height);
}

std::string bytesOf(const AnimatedFile& file)
{
    ByteWriter out;
    out.put(file.nodes.size());
    for (const FileNode& node : file.nodes) {
        out.put(node.name);
        out.put(node.parent);
        out.put(node.local);
    }
    out.put(file.clips.size());
    for (const FileClip& clip : file.clips) {
        out.put(clip.name);
        out.put(clip.first_s);
        out.put(clip.last_s);
        out.put(clip.tracks.size());
        for (const FileTrack& track : clip.tracks) forEachPart(track, [&](const auto& part) { out.put(part); });
    }
    out.put(file.pictures.size());
    for (const auto& picture : file.pictures) {
        out.put(picture->name);
        out.put(picture->bytes);
    }
    out.put(file.unused_gloss.size());
    for (const std::string& material : file.unused_gloss) out.put(material);
    out.put(file.meshes.size());
    for (const FileMesh& mesh : file.meshes) put(out, mesh, file.pictures);
    out.put(file.cameras.size());
    for (const FileCamera& camera : file.cameras) {
        out.put(camera.name);
        forEachValue(camera, [&](const auto& value) { out.put(value); });
    }
    return out.take();
}

AnimatedFile fileOf(std::string bytes)
{
    ByteReader in(std::move(bytes));
    AnimatedFile file;
    file.nodes.resize(in.size(1));
    for (FileNode& node : file.nodes) {
        in.get(node.name);
        in.get(node.parent);
        in.get(node.local);
    }
    file.clips.resize(in.size(1));
    for (FileClip& clip : file.clips) {
        in.get(clip.name);
        in.get(clip.first_s);
        in.get(clip.last_s);
        clip.tracks.resize(in.size(1));
        for (FileTrack& track : clip.tracks) forEachPart(track, [&](auto& part) { in.get(part); });
    }
    file.pictures.resize(in.size(1));
    for (auto& picture : file.pictures) {
        EncodedPicture read;
        in.get(read.name);
        in.get(read.bytes);
        picture = std::make_shared<const EncodedPicture>(std::move(read));
    }
    file.unused_gloss.resize(in.size(1));
    for (std::string& material : file.unused_gloss) in.get(material);
    file.meshes.resize(in.size(1));
    for (FileMesh& mesh : file.meshes) get(in, mesh, file.pictures);
    file.cameras.resize(in.size(1));
    for (FileCamera& camera : file.cameras) {
        in.get(camera.name);
        forEachValue(camera, [&](auto& value) { in.get(value); });
    }
    return file;
}

/// What the reader in the other process made of a file, checked here: a damaged file may have damaged its answer.
class Check {
public:
    Check(const AnimatedFile& file, const std::string& source) : m_file(file), m_source(source) {}

    void all() const
    {
        const int nodes = static_cast<int>(m_file.nodes.size());
        for (int n = 0; n < nodes; ++n)
            require(m_file.nodes[n].parent >= -1 && m_file.nodes[n].parent < n &&
                        m_file.nodes[n].local.matrix().allFinite(),
                    "its node " + quotedName(m_file.nodes[n].name) +
                        " has a transformation that is not finite, or a wrong parent");
        for (const FileClip& clip : m_file.clips)
            for (const FileTrack& track : clip.tracks) {
                require(isNode(track.node), "a clip moves a node that does not exist");
                channel(track.translation, clip);
                channel(track.rotation, clip);
                channel(track.scale, clip);
            }
        for (const FileMesh& mesh : m_file.meshes) this->mesh(mesh);
        for (const FileCamera& camera : m_file.cameras) this->camera(camera);
    }

private:
    void require(bool isGood, const std::string& what) const
    {
        if (!isGood) throw Error(ExitCode::File, m_source + ": the file is damaged: " + what);
    }
    bool isNode(int node) const { return node >= 0 && node < static_cast<int>(m_file.nodes.size()); }

    template <class T>
    void channel(const FileChannel<T>& channel, const FileClip& clip) const
    {
        const std::string where = "clip " + quotedName(clip.name) + " has ";
        require(channel.times_s.size() == channel.values.size(), where + "keys without values");
        for (std::size_t k = 0; k < channel.times_s.size(); ++k) {
            require(std::isfinite(channel.times_s[k]) && channel.values[k].allFinite(),
                    where + "a key that is not a finite number");
            require(k == 0 || channel.times_s[k] > channel.times_s[k - 1], where + "key times that do not increase");
        }
    }

    void mesh(const FileMesh& mesh) const
    {
        require(isNode(mesh.node), "a mesh belongs to no node");
        const std::string name = quotedName(m_file.nodes[mesh.node].name);
        const int vertices = static_cast<int>(mesh.mesh.vertices.size());
        for (int v = 0; v < vertices; ++v)
            require(mesh.mesh.vertices[v].allFinite(),
                    "vertex " + std::to_string(v + 1) + " of mesh " + name + " is not a finite point");
        for (const Vec3i& t : mesh.mesh.triangles)
            require(t.minCoeff() >= 0 && t.maxCoeff() < vertices,
                    "a triangle of mesh " + name + " names a vertex that does not exist");
        materials(mesh.mesh, name);
        for (const FileBone& bone : mesh.bones)
            require(isNode(bone.node) && bone.offset.matrix().allFinite(),
                    "a bone of mesh " + name + " has no node, or a transformation that is not finite");
        if (mesh.bones.empty()) return;
        require(static_cast<int>(mesh.first.size()) == vertices + 1, "the skin of mesh " + name + " is not complete");
        for (int v = 0; v < vertices; ++v) weights(mesh, v, name);
    }

    void camera(const FileCamera& camera) const
    {
        const std::string name = "camera " + quotedName(camera.name);
        require(isNode(camera.node), name + " belongs to no node");
        require(std::abs(camera.forward.norm() - 1) < 1e-3 && std::abs(camera.up.norm() - 1) < 1e-3 &&
                    std::abs(camera.forward.dot(camera.up)) < 1e-3,
                name + " has a direction that is no number, or its up points forward");
        require(
            camera.field_rad > 1e-4 && camera.field_rad < 3.14,
            name + " has an angle of view of " + std::to_string(camera.field_rad) + " rad, expected 0.0001 to 3.14");
    }

    void materials(const TriangleMesh& mesh, const std::string& name) const
    {
        const MeshMaterials& materials = mesh.materials;
        require(materials.of.size() == mesh.triangles.size(), "a triangle of mesh " + name + " has no material");
        for (const int m : materials.of)
            require(m >= 0 && m < static_cast<int>(materials.list.size()),
                    "a material of mesh " + name + " does not exist");
        require(materials.places.empty() || materials.places.size() == mesh.triangles.size(),
                "a triangle of mesh " + name + " has no place in its picture");
        for (const CornerPlaces& places : materials.places)
            require(places.allFinite(),
                    "a triangle of mesh " + name + " has a place in its picture that is not finite");
        for (const Material& material : materials.list)
            require(material.color == noColor || (material.color.minCoeff() >= 0 && material.color.maxCoeff() <= 1),
                    "a colour of mesh " + name + " is not between 0 and 1");
    }

    void weights(const FileMesh& mesh, int v, const std::string& name) const
    {
        float sum = 0;
        require(mesh.first[v] >= 0 && mesh.first[v] <= mesh.first[v + 1] &&
                    mesh.first[v + 1] <= static_cast<int>(mesh.influences.size()),
                "the skin of mesh " + name + " is not complete");
        for (int i = mesh.first[v]; i < mesh.first[v + 1]; ++i) {
            const FileInfluence& influence = mesh.influences[i];
            require(influence.bone >= 0 && influence.bone < static_cast<int>(mesh.bones.size()),
                    "the skin of mesh " + name + " names a bone that does not exist");
            sum += influence.weight;
        }
        if (!(std::abs(sum - 1) <= 0.02f))
            throw Error(ExitCode::Usage,
                        m_source + ": the skin of mesh " + name + ": the weights of vertex " + std::to_string(v + 1) +
                            " sum to " + std::to_string(sum) +
                            "; expected 1. Weights that are no numbers or negative, and those of joints that do not "
                            "exist, are left out of the sum");
    }

    const AnimatedFile& m_file;
    const std::string& m_source;
};

/// Weights are often stored as bytes, so that their sum is not exactly one.
void normaliseWeights(FileMesh& mesh)
{
    for (std::size_t v = 0; v + 1 < mesh.first.size(); ++v) {
        float sum = 0;
        for (int i = mesh.first[v]; i < mesh.first[v + 1]; ++i) sum += mesh.influences[i].weight;
        for (int i = mesh.first[v]; i < mesh.first[v + 1]; ++i) mesh.influences[i].weight /= sum;
    }
}

}  // namespace

bool isAnimatedFile(const std::filesystem::path& file)
{
    const std::string extension = lowerExtension(file);
    return extension == ".glb" || extension == ".gltf" || extension == ".fbx";
}

AnimatedFile readAnimatedFile(const std::filesystem::path& file, const std::string& source, FileNeeds needs)
{
    AnimatedFile result = fileOf(runIsolated(source, [&] { return bytesOf(importFile(file, source)); }));
    if (needs == FileNeeds::Mesh && result.meshes.empty())
        throw Error(ExitCode::Usage, source + ": it has no mesh of triangles");
    Check(result, source).all();
    for (FileMesh& mesh : result.meshes) {
        normaliseWeights(mesh);
        weldVertices(mesh.mesh);
    }
    return result;
}

}  // namespace firn
