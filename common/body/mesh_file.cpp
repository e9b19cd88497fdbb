#include "common/body/mesh_file.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/body/mesh.h"
#include "common/body/text_input.h"
#include "common/error.h"
#include "common/io/extension.h"

namespace firn {
namespace {

constexpr std::size_t mostMaterials = 1000;

/// The vertex of one corner of an OBJ face: "7", "7/1", "7//3" or "7/1/3". Numbers start at 1; negative ones count
/// backwards from the last vertex.
int objCorner(TextInput& in, std::size_t vertices)
{
    const std::string_view word = in.word();
    const std::string digits(word.substr(0, word.find('/')));
    TextInput number("", digits);
    long index = 0;
    try {
        number.nextLine();
        index = number.integer("", -meshElementLimit, meshElementLimit);
    } catch (const Error&) {
        in.failFound(word, "the number of a vertex");
    }
    if (index < 0) index += static_cast<long>(vertices) + 1;
    if (index < 1 || index > static_cast<long>(vertices))
        in.failFound(word, "one of the " + std::to_string(vertices) + " vertices above");
    return static_cast<int>(index - 1);
}

std::string restOfLine(TextInput& in)
{
    std::string text;
    for (std::string_view word = in.word(); !word.empty(); word = in.word())
        text += (text.empty() ? "" : " ") + std::string(word);
    return text;
}

/// The number of a material; a new name is added, up to a bound that keeps damaged files quick.
int materialNamed(const std::string& name, std::vector<Material>& materials)
{
    const auto found = std::ranges::find(materials, name, &Material::name);
    if (found != materials.end()) return static_cast<int>(found - materials.begin());
    if (materials.size() > mostMaterials) return 0;
    materials.push_back({name, noColor});
    return static_cast<int>(materials.size()) - 1;
}

bool isIgnoredObjWord(std::string_view word)
{
    constexpr std::array words = {"vt",   "vn",    "vp",       "o",        "g",      "s",     "mtllib",
                                  "l",    "p",     "mg",       "lod",      "cstype", "deg",   "bmat",
                                  "step", "bevel", "c_interp", "d_interp", "usemap", "maplib"};
    return word.starts_with('#') || std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TriangleMesh parseObj(const std::filesystem::path& file, const std::string& bytes)
{
    TriangleMesh mesh;
    mesh.materials.list.emplace_back();  // of faces before the first material
    int material = 0;
    TextInput in(file, bytes);
    while (in.nextLine()) {
        const std::string_view word = in.word();
        if (word == "v") {
            Vec3d p;
            for (int a = 0; a < 3; ++a) p[a] = in.number("a coordinate");
            mesh.vertices.push_back(p.cast<float>());
        } else if (word == "f") {
            const int first = objCorner(in, mesh.vertices.size());
            int last = objCorner(in, mesh.vertices.size());
            do {
                const int next = objCorner(in, mesh.vertices.size());
                mesh.triangles.emplace_back(first, last, next);
                mesh.materials.of.push_back(material);
                last = next;
            } while (!in.peek().empty() && !in.peek().starts_with('#'));
        } else if (word == "usemtl") {
            material = materialNamed(restOfLine(in), mesh.materials.list);
        } else if (!isIgnoredObjWord(word)) {
            in.failFound(word, "a line of a Wavefront OBJ file (v, vt, vn, f, o, g, ...)");
        }
        if (static_cast<long>(std::max(mesh.vertices.size(), mesh.triangles.size())) > meshElementLimit)
            in.fail("more than " + std::to_string(meshElementLimit) + " vertices or triangles");
    }
    if (mesh.materials.list.size() == 1) mesh.materials = {};
    return mesh;
}

TriangleMesh loadMesh(const std::filesystem::path& file, double scale, UpAxis upAxis)
{
    const std::string extension = lowerExtension(file);
    if (extension != ".obj" && extension != ".ply")
        throw Error(ExitCode::Usage, file.string() + ": found the extension \"" + clampText(extension, 20) +
                                         "\"; expected a mesh as .obj or .ply");
    const std::string bytes = readWholeFile(file, meshFileLimitBytes);
    TriangleMesh mesh = extension == ".obj" ? parseObj(file, bytes) : parsePly(file, bytes);
    if (mesh.triangles.empty())
        throw Error(ExitCode::Usage, file.string() + ": found no faces; expected a mesh of at least four triangles");
    transformVertices(mesh, scale * yUpFrom(upAxis));
    checkCoordinates(mesh, file.string());
    weldVertices(mesh);
    if (findDefects(mesh).none()) orientOutward(mesh);
    return mesh;
}

}  // namespace firn
