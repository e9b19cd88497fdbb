#pragma once
// A glTF file for tests: an arm, a square tube of .2 x .2 m along y from y = 0 to 1 m, closed at both ends. Its upper
// half follows a bone at y = .5 m, which turns about z by 90 degrees within one second; the ring of vertices there
// follows both bones by one half.

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/math.h"
#include "common/scene/scene.h"
#include "tests/common/body/scratch_folder.h"

namespace firn {

struct ArmOptions {
    bool has_skin = true;    // without it, the whole arm is rigid in the turning node
    bool has_top = true;     // without it, the arm has a flat hole at y = 1
    bool has_corner = true;  // without it, the arm has a hole around a corner
    float top_x = 0.1f;      // half of the top's width along x and z, m
    float weight_sum = 1;
    int weight_bits = 32;           // 32: float; 8 or 16: integers
    bool is_binary = false;         // one .glb file
    bool has_color = false;         // .2, .4, .6
    bool has_picture = false;       // as the material's colour: skin.png, which the test writes
    bool has_color_picture = true;  // with has_picture; without it, skin.png is of the gloss only
    bool has_places = false;        // in the picture: u = x, v = y of the vertices
    bool has_camera = false;        // "shot", .5 m above the elbow and 2 m before it, looks along -z
    bool has_mesh = true;
    float aspect = 1.5f;            // of the camera's picture; 0 = not given
    int gloss_set = 0;              // of places, for the gloss; set 1 is half of set 0
    bool has_buffer = true;         // without it, the file of the buffer is missing
    float first_x = -0.1f;          // of the first vertex
    float third_key_s = 2 / 24.0f;  // the keys are 1/24 s apart
};

class ArmWriter {
public:
    explicit ArmWriter(const ArmOptions& options) : m_options(options)
    {
        makeMesh();
        m_json = {{"asset", {{"version", "2.0"}}},
                  {"scene", 0},
                  {"scenes", {{{"nodes", {0, 1}}}}},
                  {"bufferViews", nlohmann::json::array()},
                  {"accessors", nlohmann::json::array()}};
        nlohmann::json attributes = {{"POSITION", positions()}};
        if (options.has_skin) addSkin(attributes);
        if (options.has_places) attributes["TEXCOORD_0"] = places(1);
        if (options.has_places && options.gloss_set == 1) attributes["TEXCOORD_1"] = places(0.5f);
        m_json["meshes"] = {{{"primitives", {{{"attributes", attributes}, {"indices", indices()}}}}}};
        m_json["nodes"] = {{{"name", "arm"}, {"mesh", 0}},
                           {{"name", "shoulder"}, {"children", {2}}},
                           {{"name", "elbow"}, {"translation", {0, 0.5, 0}}}};
        if (options.has_skin) m_json["nodes"][0]["skin"] = 0;
        if (options.has_camera) addCamera();
        addClip();
        if (!options.has_mesh) dropMesh();
        if (options.has_color || options.has_picture) addMaterial();
    }

    std::filesystem::path write(const ScratchFolder& folder)
    {
        if (m_options.is_binary) return folder.write("arm.glb", binary());
        if (m_options.has_buffer) folder.write("arm.bin", m_bytes);
        m_json["buffers"] = {{{"uri", "arm.bin"}, {"byteLength", m_bytes.size()}}};
        return folder.write("arm.gltf", m_json.dump());
    }

private:
    std::string binary()
    {
        m_json["buffers"] = {{{"byteLength", m_bytes.size()}}};
        std::string text = m_json.dump();
        text.resize((text.size() + 3) / 4 * 4, ' ');
        const auto number = [](std::size_t n) {
            const auto value = static_cast<std::uint32_t>(n);
            return std::string(reinterpret_cast<const char*>(&value), sizeof value);
        };
        return "glTF" + number(2) + number(28 + text.size() + m_bytes.size()) + number(text.size()) + "JSON" + text +
               number(m_bytes.size()) + std::string("BIN\0", 4) + m_bytes;
    }

    template <class T>
    int integerWeights(const std::vector<float>& weights)
    {
        std::vector<T> values;
        values.reserve(weights.size());
        for (const float w : weights)
            values.push_back(static_cast<T>(std::lround(w * static_cast<float>(std::numeric_limits<T>::max()))));
        const int index = accessor(values, sizeof(T) == 1 ? 5121 : 5123, "VEC4", m_vertices.size());
        m_json["accessors"][index]["normalized"] = true;
        return index;
    }

    void makeMesh()
    {
        for (int ring = 0; ring < 5; ++ring)
            for (int c = 0; c < 4; ++c) {
                const float x = ring == 4 ? m_options.top_x : 0.1f;
                m_vertices.emplace_back(c == 0 || c == 3 ? -x : x, 0.25f * static_cast<float>(ring), c < 2 ? -x : x);
            }
        m_vertices[0].x() = m_options.first_x;
        const auto quad = [&](int a, int b, int c, int d) {
            m_triangles.emplace_back(a, b, c);
            m_triangles.emplace_back(a, c, d);
        };
        for (int ring = 0; ring < 4; ++ring)
            for (int c = 0; c < 4; ++c) {
                const int d = (c + 1) % 4, low = 4 * ring, high = low + 4;
                quad(low + c, high + c, high + d, low + d);
            }
        quad(0, 1, 2, 3);
        if (m_options.has_top) quad(19, 18, 17, 16);
        if (!m_options.has_corner)  // the last sides of two neighbouring faces, and the top between them
            std::erase_if(m_triangles, [](const Vec3i& t) { return (t.array() == 17).any(); });
    }

    template <class T>
    int accessor(const std::vector<T>& values, int componentType, const std::string& type, std::size_t count)
    {
        m_json["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", m_bytes.size()}, {"byteLength", values.size() * sizeof(T)}});
        m_json["accessors"].push_back({{"bufferView", m_json["bufferViews"].size() - 1},
                                       {"componentType", componentType},
                                       {"count", count},
                                       {"type", type}});
        m_bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        while (m_bytes.size() % 4 != 0) m_bytes += '\0';
        return static_cast<int>(m_json["accessors"].size()) - 1;
    }

    int positions()
    {
        std::vector<float> values;
        for (const Vec3f& v : m_vertices) values.insert(values.end(), v.data(), v.data() + 3);
        const int index = accessor(values, 5126, "VEC3", m_vertices.size());
        m_json["accessors"][index]["min"] = {-0.1, 0, -0.1};
        m_json["accessors"][index]["max"] = {0.1, 1, 0.1};
        return index;
    }

    /// The v of glTF runs downwards.
    int places(float factor)
    {
        std::vector<float> values;
        for (const Vec3f& v : m_vertices) values.insert(values.end(), {factor * v.x(), 1 - factor * v.y()});
        return accessor(values, 5126, "VEC2", m_vertices.size());
    }

    int indices()
    {
        std::vector<std::uint16_t> values;
        for (const Vec3i& t : m_triangles)
            for (int c = 0; c < 3; ++c) values.push_back(static_cast<std::uint16_t>(t[c]));
        return accessor(values, 5123, "SCALAR", values.size());
    }

    void addSkin(nlohmann::json& attributes)
    {
        std::vector<std::uint8_t> joints;
        std::vector<float> weights;
        for (const Vec3f& v : m_vertices) {
            const float upper = v.y() > 0.6f ? 1 : v.y() > 0.4f ? 0.5f : 0;
            joints.insert(joints.end(), {0, 1, 0, 0});
            weights.insert(weights.end(), {m_options.weight_sum * (1 - upper), m_options.weight_sum * upper, 0, 0});
        }
        attributes["JOINTS_0"] = accessor(joints, 5121, "VEC4", m_vertices.size());
        attributes["WEIGHTS_0"] = m_options.weight_bits == 8    ? integerWeights<std::uint8_t>(weights)
                                  : m_options.weight_bits == 16 ? integerWeights<std::uint16_t>(weights)
                                                                : accessor(weights, 5126, "VEC4", m_vertices.size());
        std::vector<float> inverse;
        for (const float y : {0.0f, -0.5f})
            for (int column = 0; column < 4; ++column)
                for (int row = 0; row < 4; ++row)
                    inverse.push_back(row == column ? 1.0f : column == 3 && row == 1 ? y : 0.0f);
        m_json["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", accessor(inverse, 5126, "MAT4", 2)}}};
    }

    void addCamera()
    {
        nlohmann::json lens = {{"yfov", 0.6}, {"znear", 0.1}};
        if (m_options.aspect > 0) lens["aspectRatio"] = m_options.aspect;
        m_json["cameras"] = {{{"type", "perspective"}, {"perspective", lens}}};
        m_json["nodes"][2]["children"] = {3};
        m_json["nodes"].push_back({{"name", "shot"}, {"camera", 0}, {"translation", {0, 0.5, 2}}});
    }

    void dropMesh()
    {
        m_json.erase("meshes");
        m_json["nodes"][0].erase("mesh");
        m_json["nodes"][0].erase("skin");
        m_json.erase("skins");
    }

    void addMaterial()
    {
        nlohmann::json look = {{"baseColorFactor", {0.2, 0.4, 0.6, 1.0}}, {"roughnessFactor", 0.25}};
        if (m_options.has_picture) {
            if (m_options.has_color_picture) look["baseColorTexture"] = {{"index", 0}};
            look["metallicRoughnessTexture"] = {{"index", 0}, {"texCoord", m_options.gloss_set}};
            m_json["textures"] = {{{"source", 0}}};
            m_json["images"] = {{{"uri", "skin.png"}}};
        }
        m_json["materials"] = {{{"name", "cloth"}, {"pbrMetallicRoughness", look}}};
        m_json["meshes"][0]["primitives"][0]["material"] = 0;
    }

    void addClip()
    {
        constexpr int keys = 25;
        std::vector<float> times, turns;
        for (int k = 0; k < keys; ++k) {
            const double share = static_cast<double>(k) / (keys - 1), half = share * pi / 4;
            times.push_back(static_cast<float>(share));
            turns.insert(turns.end(), {0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))});
        }
        times[2] = m_options.third_key_s;
        const int input = accessor(times, 5126, "SCALAR", keys);
        const int output = accessor(turns, 5126, "VEC4", keys);
        m_json["accessors"][input]["min"] = {0};
        m_json["accessors"][input]["max"] = {1};
        m_json["animations"] = {
            {{"name", "bend"},
             {"samplers", {{{"input", input}, {"output", output}}}},
             {"channels",
              {{{"sampler", 0}, {"target", {{"node", m_options.has_skin ? 2 : 0}, {"path", "rotation"}}}}}}}};
    }

    const ArmOptions m_options;
    std::vector<Vec3f> m_vertices;
    std::vector<Vec3i> m_triangles;
    std::string m_bytes;
    nlohmann::json m_json;
};

inline Scene sceneWith(const std::filesystem::path& file)
{
    Scene scene;
    scene.solver.dx = 0.05;
    BodySpec body;
    body.name = "arm";
    body.shape = BodyShape::Mesh;
    body.file = file;
    scene.bodies.push_back(body);
    return scene;
}

inline Scene armScene(const ScratchFolder& folder, const ArmOptions& options = {})
{
    Scene scene = sceneWith(ArmWriter(options).write(folder));
    scene.end_frame = scene.start_frame + static_cast<int>(scene.fps);  // as long as the clip
    return scene;
}

}  // namespace firn
