#include "common/body/import_file.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <unistd.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <sstream>

#include "common/body/file_signature.h"
#include "common/body/gltf_check.h"
#include "common/body/gltf_weights.h"
#include "common/body/text_input.h"
#include "common/error.h"
#include "common/io/extension.h"

namespace firn {

namespace {

constexpr std::uintmax_t maxFileBytes = std::uintmax_t{2} << 30;

/// Opens a file, the files in its folder and below it, and nothing else. The file itself may be a link to elsewhere.
/// Some may be in memory instead.
class FolderOnly final : public Assimp::DefaultIOSystem {
public:
    explicit FolderOnly(const std::filesystem::path& file)
        : m_folder(std::filesystem::weakly_canonical(std::filesystem::absolute(file).parent_path())),
          m_file(std::filesystem::weakly_canonical(file))
    {
    }

    void putInMemory(const std::filesystem::path& file, std::string bytes)
    {
        m_inMemory[std::filesystem::weakly_canonical(file)] = std::move(bytes);
    }

    bool Exists(const char* file) const override
    {
        return inMemory(file) || (isWithin(file) && DefaultIOSystem::Exists(file));
    }
    Assimp::IOStream* Open(const char* file, const char* mode) override
    {
        if (mode[0] != 'r') return nullptr;
        if (const std::string* bytes = inMemory(file))
            return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size());
        return isWithin(file) ? DefaultIOSystem::Open(file, mode) : nullptr;
    }

    /// The bytes of a file in the folder; none if it is not there or too large.
    std::string read(const std::filesystem::path& file) const
    {
        if (!Exists(file.c_str()) || !std::filesystem::is_regular_file(file)) return {};
        if (std::filesystem::file_size(file) > maxFileBytes) return {};
        return readWholeFile(file, maxFileBytes);
    }

private:
    bool isWithin(const char* file) const
    {
        const std::filesystem::path path = std::filesystem::weakly_canonical(file);
        if (path == m_file) return true;
        return std::mismatch(m_folder.begin(), m_folder.end(), path.begin(), path.end()).first == m_folder.end();
    }
    const std::string* inMemory(const char* file) const
    {
        const auto found = m_inMemory.find(std::filesystem::weakly_canonical(file));
        return found == m_inMemory.end() ? nullptr : &found->second;
    }

    std::filesystem::path m_folder, m_file;
    std::map<std::filesystem::path, std::string> m_inMemory;
};

/// What the importer may open for a file: the files in its folder, with weights that it can read.
std::unique_ptr<FolderOnly> filesFor(const std::filesystem::path& file)
{
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    auto files = std::make_unique<FolderOnly>(file);
    if (lowerExtension(file) == ".fbx") return files;
    const auto readBuffer = [&](const std::string& uri) { return files->read(folder / uri); };
    if (auto changed = withFloatWeights(files->read(file), readBuffer)) {
        files->putInMemory(file, std::move(changed->file));
        files->putInMemory(folder / GltfWithFloats::bufferName, std::move(changed->buffer));
    }
    return files;
}

Affine affineOf(const aiMatrix4x4& m)
{
    Affine result;
    result.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4;
    return result;
}

/// Empty where the file gives no name.
std::string nameOf(const aiMaterial& material)
{
    const aiString name = material.GetName();
    return name == aiString(AI_DEFAULT_MATERIAL_NAME) ? "" : name.C_Str();
}

/// A picture of a material: the file's name for it, and the set of places that it is for.
struct PictureName {
    aiString path;
    unsigned places = 0;

    /// That of the first type that the material has.
    PictureName(const aiMaterial& material, std::initializer_list<aiTextureType> types)
    {
        for (const aiTextureType type : types) {
            if (path.length == 0 && material.GetTexture(type, 0, &path, nullptr, &places) != aiReturn_SUCCESS)
                path.Clear();
        }
    }
    bool isGiven() const { return path.length > 0; }
};

/// A factor of a material, such as its roughness; -1 where the file has none.
float factorOf(const aiMaterial& material, const char* key, unsigned type, unsigned index)
{
    float value = -1;
    if (material.Get(key, type, index, value) != aiReturn_SUCCESS || !std::isfinite(value)) return -1;
    return std::clamp(value, 0.0f, 1.0f);
}

/// The base colour of a material, linear.
Vec3f baseColor(const aiMaterial& material)
{
    aiColor4D color;
    if (material.GetName() == aiString(AI_DEFAULT_MATERIAL_NAME) ||
        (material.Get(AI_MATKEY_BASE_COLOR, color) != aiReturn_SUCCESS &&
         material.Get(AI_MATKEY_COLOR_DIFFUSE, color) != aiReturn_SUCCESS))
        return noColor;
    const Vec3f linear(color.r, color.g, color.b);
    // White is what glTF has where the file gives nothing.
    return linear.allFinite() && linear != Vec3f::Ones() ? Vec3f(linear.cwiseMax(0).cwiseMin(1)) : noColor;
}

/// A number of the file's global settings; `usual` where it has none.
double setting(const aiMetadata* settings, const char* name, double usual)
{
    float single = 0;
    double value = usual;
    std::int32_t whole = 0;
    if (!settings) return usual;
    if (settings->Get(name, single)) value = single;
    if (settings->Get(name, whole)) value = whole;
    settings->Get(name, value);
    return std::isfinite(value) ? value : usual;
}

/// The axis `name` of an FBX file, with its sign.
Vec3d axisOf(const aiMetadata* settings, const std::string& name, int usual)
{
    const double axis = setting(settings, name.c_str(), usual), sign = setting(settings, (name + "Sign").c_str(), 1);
    return (sign < 0 ? -1 : 1) * Vec3d::Unit(axis == 0 || axis == 1 || axis == 2 ? static_cast<int>(axis) : usual);
}

/// An FBX file says its unit (in centimetres) and its axes; others are in metres, with y up.
Affine toMetres(const aiScene& scene, bool isFbx)
{
    Affine result = Affine::Identity();
    if (!isFbx) return result;
    const double unit_cm = setting(scene.mMetaData, "UnitScaleFactor", 1);
    const Vec3d right = axisOf(scene.mMetaData, "CoordAxis", 0), up = axisOf(scene.mMetaData, "UpAxis", 1);
    Mat3d turn = Mat3d::Identity();
    if (right.dot(up) == 0) turn << right.transpose(), up.transpose(), right.cross(up).transpose();
    result.linear() = 0.01 * (unit_cm > 0 ? unit_cm : 1) * turn;
    return result;
}

Vec3d vectorOf(const aiVector3D& v) { return {v.x, v.y, v.z}; }

class Importer {
public:
    /// `toMetres` leads from the file's units and axes to metres with y up; pictures lie beside `file` or in it;
    /// `source` begins messages; `views` are those of glTF's cameras.
    Importer(const aiScene& scene, const Affine& toMetres, const std::filesystem::path& file, std::string source,
             const std::vector<GltfView>* views)
        : m_scene(scene), m_path(file), m_files(file), m_source(std::move(source))
    {
        for (unsigned m = 0; m < scene.mNumMaterials; ++m) addMaterial(*scene.mMaterials[m]);
        const bool isChanged = !toMetres.matrix().isApprox(Affine::Identity().matrix());
        if (isChanged) m_file.nodes.push_back({"", -1, toMetres});
        addNode(*scene.mRootNode, isChanged ? 0 : -1);
        for (unsigned a = 0; a < scene.mNumAnimations; ++a) addClip(*scene.mAnimations[a]);
        for (const auto& [node, index] : m_meshNodes) addMesh(*node, index);
        for (unsigned c = 0; c < scene.mNumCameras; ++c)
            addCamera(*scene.mCameras[c], views == nullptr || c >= views->size() ? nullptr : &(*views)[c]);
    }

    AnimatedFile take() { return std::move(m_file); }

private:
    void addNode(const aiNode& node, int parent)
    {
        const int index = static_cast<int>(m_file.nodes.size());
        m_file.nodes.push_back({node.mName.C_Str(), parent, affineOf(node.mTransformation)});
        m_byName.emplace(node.mName.C_Str(), index);
        if (node.mNumMeshes > 0) m_meshNodes.emplace_back(&node, index);
        for (unsigned c = 0; c < node.mNumChildren; ++c) addNode(*node.mChildren[c], index);
    }

    int nodeNamed(const aiString& name) const
    {
        const auto found = m_byName.find(name.C_Str());
        return found == m_byName.end() ? -1 : found->second;
    }

    void addClip(const aiAnimation& animation)
    {
        const double ticks = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : 25;
        FileClip clip;
        clip.name = animation.mName.C_Str();
        clip.first_s = std::numeric_limits<double>::infinity();
        clip.last_s = -clip.first_s;
        const auto add = [&](const auto* keys, unsigned count, auto& channel, auto valueOf) {
            for (unsigned k = 0; k < count; ++k) {
                const double time = keys[k].mTime / ticks;
                const double before =
                    channel.times_s.empty() ? -std::numeric_limits<double>::infinity() : channel.times_s.back();
                requireLater(time, before, clip.name);
                if (time == before) continue;
                channel.times_s.push_back(time);
                channel.values.push_back(valueOf(keys[k].mValue));
                clip.first_s = std::min(clip.first_s, time);
                clip.last_s = std::max(clip.last_s, time);
            }
        };
        for (unsigned c = 0; c < animation.mNumChannels; ++c) {
            const aiNodeAnim& channel = *animation.mChannels[c];
            FileTrack track;
            track.node = nodeNamed(channel.mNodeName);
            if (track.node < 0) continue;
            add(channel.mPositionKeys, channel.mNumPositionKeys, track.translation, vectorOf);
            add(channel.mRotationKeys, channel.mNumRotationKeys, track.rotation,
                [](const aiQuaternion& q) { return Eigen::Vector4d(q.x, q.y, q.z, q.w); });
            add(channel.mScalingKeys, channel.mNumScalingKeys, track.scale, vectorOf);
            clip.tracks.push_back(std::move(track));
        }
        if (clip.first_s <= clip.last_s) m_file.clips.push_back(std::move(clip));
    }

    /// `view`: of a glTF file. Assimp 5.2 gives such a camera the place of its node once more, so it is left out.
    void addCamera(const aiCamera& from, const GltfView* view)
    {
        FileCamera camera{from.mName.C_Str(), nodeNamed(from.mName), vectorOf(from.mLookAt).normalized(),
                          vectorOf(from.mUp), from.mOrthographicWidth == 0 ? from.mHorizontalFOV : 0};
        if (view != nullptr) {
            camera.is_height = !(view->aspect > 0);
            camera.field_rad =
                camera.is_height ? view->height_rad : 2 * std::atan(view->aspect * std::tan(view->height_rad / 2));
        }
        if (camera.node < 0 || !(camera.field_rad > 0)) return;
        camera.up = (camera.up - camera.up.dot(camera.forward) * camera.forward).normalized();
        m_file.cameras.push_back(std::move(camera));
    }

    void requireLater(double time_s, double before_s, const std::string& clip) const
    {
        if (time_s >= before_s) return;
        std::ostringstream times;
        times << time_s << " s after one at " << before_s << " s";
        throw Error(ExitCode::File, m_source + ": the file is damaged: its clip " + quotedName(clip) +
                                        " has a key at " + times.str() + "; expected ascending times");
    }

    void addMaterial(const aiMaterial& from)
    {
        Material material{nameOf(from), baseColor(from)};
        const PictureName color(from, {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE});
        if (color.isGiven()) {
            material.picture = pictureNamed(color.path);
            if (!material.picture) material.color = noColor;
        }
        material.roughness = factorOf(from, AI_MATKEY_ROUGHNESS_FACTOR);
        material.metalness = factorOf(from, AI_MATKEY_METALLIC_FACTOR);
        const PictureName gloss(from, {aiTextureType_DIFFUSE_ROUGHNESS, aiTextureType_METALNESS});
        const bool isAlone = !color.isGiven();
        if (gloss.isGiven()) {
            if (isAlone || gloss.places == color.places) {
                material.gloss = pictureNamed(gloss.path);
            } else {
                m_file.unused_gloss.push_back(material.name);
            }
        }
        m_places.push_back(isAlone ? gloss.places : color.places);
        m_materials.push_back(std::move(material));
    }

    /// The same object for the same name; nullptr for one that is missing.
    std::shared_ptr<const EncodedPicture> pictureNamed(const aiString& path)
    {
        std::shared_ptr<const EncodedPicture>& picture = m_pictures[path.C_Str()];
        if (!picture) picture = readPicture(path);
        return picture->bytes.empty() ? nullptr : picture;
    }

    std::shared_ptr<const EncodedPicture> readPicture(const aiString& path)
    {
        const aiTexture* const inFile = m_scene.GetEmbeddedTexture(path.C_Str());
        const bool isEncoded = inFile != nullptr && inFile->mHeight == 0;
        const aiString& name = inFile != nullptr && inFile->mFilename.length > 0 ? inFile->mFilename : path;
        m_file.pictures.push_back(std::make_shared<const EncodedPicture>(
            EncodedPicture{m_path.filename().string() + ": picture " + quotedName(name.C_Str()),
                           isEncoded ? std::string(reinterpret_cast<const char*>(inFile->pcData), inFile->mWidth)
                                     : m_files.read(m_path.parent_path() / path.C_Str())}));
        return m_file.pictures.back();
    }

    void addMesh(const aiNode& node, int index)
    {
        FileMesh mesh;
        mesh.node = index;
        mesh.mesh.materials.list = m_materials;
        std::vector<std::vector<FileInfluence>> influences;
        for (unsigned m = 0; m < node.mNumMeshes; ++m)
            addPrimitive(*m_scene.mMeshes[node.mMeshes[m]], mesh, influences);
        if (mesh.mesh.triangles.empty()) return;
        if (!mesh.bones.empty()) {
            for (const auto& list : influences) {
                mesh.first.push_back(static_cast<int>(mesh.influences.size()));
                mesh.influences.insert(mesh.influences.end(), list.begin(), list.end());
            }
            mesh.first.push_back(static_cast<int>(mesh.influences.size()));
        }
        m_file.meshes.push_back(std::move(mesh));
    }

    void addPrimitive(const aiMesh& from, FileMesh& mesh, std::vector<std::vector<FileInfluence>>& influences) const
    {
        const int firstVertex = static_cast<int>(mesh.mesh.vertices.size());
        const int firstBone = static_cast<int>(mesh.bones.size());
        for (unsigned v = 0; v < from.mNumVertices; ++v)
            mesh.mesh.vertices.emplace_back(from.mVertices[v].x, from.mVertices[v].y, from.mVertices[v].z);
        for (unsigned f = 0; f < from.mNumFaces; ++f)
            if (from.mFaces[f].mNumIndices == 3)
                mesh.mesh.triangles.emplace_back(firstVertex + static_cast<int>(from.mFaces[f].mIndices[0]),
                                                 firstVertex + static_cast<int>(from.mFaces[f].mIndices[1]),
                                                 firstVertex + static_cast<int>(from.mFaces[f].mIndices[2]));
        mesh.mesh.materials.of.resize(mesh.mesh.triangles.size(), static_cast<int>(from.mMaterialIndex));
        if (!m_pictures.empty()) addPlaces(from, firstVertex, mesh.mesh);
        influences.resize(mesh.mesh.vertices.size());
        for (unsigned b = 0; b < from.mNumBones; ++b) {
            const aiBone& bone = *from.mBones[b];
            mesh.bones.push_back({nodeNamed(bone.mName), affineOf(bone.mOffsetMatrix)});
            for (unsigned w = 0; w < bone.mNumWeights; ++w)
                influences.at(firstVertex + bone.mWeights[w].mVertexId)
                    .push_back({firstBone + static_cast<int>(b), bone.mWeights[w].mWeight});
        }
    }

    /// Of the triangles that have none yet; the corner (0, 0) where the file does not give them.
    void addPlaces(const aiMesh& from, int firstVertex, TriangleMesh& mesh) const
    {
        const unsigned set = m_places.at(from.mMaterialIndex);
        const bool isGiven = from.HasTextureCoords(set);
        std::vector<CornerPlaces>& places = mesh.materials.places;
        for (std::size_t t = places.size(); t < mesh.triangles.size(); ++t) {
            places.emplace_back(CornerPlaces::Zero());
            for (int c = 0; c < 3 && isGiven; ++c) {
                const aiVector3D& at = from.mTextureCoords[set][mesh.triangles[t][c] - firstVertex];
                places.back().col(c) << at.x, at.y;
            }
        }
    }

    const aiScene& m_scene;
    std::filesystem::path m_path;
    FolderOnly m_files;
    std::string m_source;
    std::vector<Material> m_materials;
    std::vector<unsigned> m_places;  // which set of places each material's picture is for
    std::map<std::string, std::shared_ptr<const EncodedPicture>> m_pictures;
    AnimatedFile m_file;
    std::map<std::string, int> m_byName;
    std::vector<std::pair<const aiNode*, int>> m_meshNodes;
};

}  // namespace

AnimatedFile importFile(const std::filesystem::path& file, const std::string& source)
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error) throw Error(ExitCode::File, source + ": " + error.message());
    if (size > maxFileBytes) throw Error(ExitCode::File, source + ": the file is larger than 2 GiB, the limit");
    checkSignature(file, source);
    const bool isFbx = lowerExtension(file) == ".fbx";
    std::vector<GltfView> views;
    if (!isFbx) views = checkGltf(readWholeFile(file, maxFileBytes), source);
    Assimp::Importer importer;
    importer.SetIOHandler(filesFor(file).release());  // the importer owns it
    const aiScene* scene = importer.ReadFile(file.string(), aiProcess_Triangulate);
    if (!scene || !scene->mRootNode)
        throw Error(ExitCode::File, source + ": it cannot be read: " + clampText(importer.GetErrorString()));
    return Importer(*scene, toMetres(*scene, isFbx), file, source, isFbx ? nullptr : &views).take();
}

}  // namespace firn
