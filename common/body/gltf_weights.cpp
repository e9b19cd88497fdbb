#include "common/body/gltf_weights.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace firn {

namespace {

using Json = nlohmann::json;

constexpr int unsignedByte = 5121, unsignedShort = 5123, floatType = 5126;  // glTF 2.0, section 3.6.2.2
constexpr std::size_t headerBytes = 12, chunkHeaderBytes = 8;               // of a binary file, section 4.4

std::uint32_t numberAt(const std::string& bytes, std::size_t at)
{
    std::uint32_t value = 0;
    if (at + sizeof value > bytes.size()) throw std::out_of_range("the file ends");
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

std::string textOf(std::uint32_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

/// A glTF file: its JSON, and of a binary file all chunks after it.
struct Parts {
    bool is_binary = false;
    std::string json, rest;
};

Parts split(const std::string& bytes)
{
    if (!bytes.starts_with("glTF")) return {false, bytes, ""};
    const std::size_t length = numberAt(bytes, headerBytes), end = headerBytes + chunkHeaderBytes + length;
    if (end > bytes.size()) throw std::out_of_range("the file ends");
    return {true, bytes.substr(headerBytes + chunkHeaderBytes, length), bytes.substr(end)};
}

std::string joined(const Parts& parts, std::string json)
{
    if (!parts.is_binary) return json;
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const std::size_t total = headerBytes + chunkHeaderBytes + json.size() + parts.rest.size();
    return "glTF" + textOf(2) + textOf(static_cast<std::uint32_t>(total)) +
           textOf(static_cast<std::uint32_t>(json.size())) + "JSON" + json + parts.rest;
}

/// The accessors of weights that are integers.
std::set<std::size_t> integerWeights(const Json& document)
{
    std::set<std::size_t> found;
    for (const Json& mesh : document.value("meshes", Json::array()))
        for (const Json& primitive : mesh.at("primitives"))
            for (const auto& [name, accessor] : primitive.at("attributes").items()) {
                if (!name.starts_with("WEIGHTS_")) continue;
                const auto number = accessor.get<std::size_t>();
                const Json& about = document.at("accessors").at(number);
                if (about.at("componentType") != floatType && about.contains("bufferView")) found.insert(number);
            }
    return found;
}

class Converter {
public:
    using ReadBuffer = std::function<std::string(const std::string& uri)>;

    Converter(Json& document, const Parts& parts, const ReadBuffer& readBuffer)
        : m_document(document), m_parts(parts), m_readBuffer(readBuffer)
    {
    }

    /// Gives an accessor of four integers per vertex floats in the new buffer.
    void convert(std::size_t number)
    {
        Json& accessor = m_document.at("accessors").at(number);
        const std::vector<float> weights = weightsOf(accessor);
        m_document.at("bufferViews")
            .push_back({{"buffer", m_document.at("buffers").size()},
                        {"byteOffset", m_bytes.size()},
                        {"byteLength", weights.size() * sizeof(float)}});
        m_bytes.append(reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float));
        accessor["bufferView"] = m_document.at("bufferViews").size() - 1;
        accessor["byteOffset"] = 0;
        accessor["componentType"] = floatType;
        for (const char* key : {"normalized", "min", "max"}) accessor.erase(key);
    }

    std::string takeBuffer()
    {
        m_document.at("buffers").push_back({{"uri", GltfWithFloats::bufferName}, {"byteLength", m_bytes.size()}});
        return std::move(m_bytes);
    }

private:
    std::vector<float> weightsOf(const Json& accessor)
    {
        const std::size_t size = accessor.at("componentType") == unsignedByte    ? 1
                                 : accessor.at("componentType") == unsignedShort ? 2
                                                                                 : throw std::out_of_range("a type");
        const Json& view = m_document.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
        const std::string& bytes = bufferOf(view.at("buffer").get<std::size_t>());
        const std::size_t count = accessor.at("count"), stride = view.value("byteStride", 4 * size);
        std::size_t at = view.value("byteOffset", std::size_t{0}) + accessor.value("byteOffset", std::size_t{0});
        if (count > bytes.size() || at > bytes.size() || count * stride > bytes.size() - at + stride - 4 * size)
            throw std::out_of_range("the buffer ends");
        std::vector<float> weights;
        weights.reserve(4 * count);
        for (std::size_t v = 0; v < count; ++v, at += stride)
            for (std::size_t k = 0; k < 4; ++k) {
                std::uint16_t value = 0;
                std::memcpy(&value, bytes.data() + at + k * size, size);  // both are little-endian
                weights.push_back(static_cast<float>(value) / (size == 1 ? 255.0f : 65535.0f));
            }
        return weights;
    }

    const std::string& bufferOf(std::size_t number)
    {
        const auto known = m_buffers.find(number);
        if (known != m_buffers.end()) return known->second;
        const Json& buffer = m_document.at("buffers").at(number);
        return m_buffers[number] = buffer.contains("uri") ? m_readBuffer(buffer.at("uri").get<std::string>())
                                                          : m_parts.rest.substr(chunkHeaderBytes);
    }

    Json& m_document;
    const Parts& m_parts;
    const ReadBuffer& m_readBuffer;
    std::map<std::size_t, std::string> m_buffers;
    std::string m_bytes;
};

}  // namespace

std::string jsonOfGltf(const std::string& bytes) { return split(bytes).json; }

std::optional<GltfWithFloats> withFloatWeights(const std::string& bytes,
                                               const std::function<std::string(const std::string& uri)>& readBuffer)
{
    try {
        const Parts parts = split(bytes);
        Json document = Json::parse(parts.json);
        const std::set<std::size_t> accessors = integerWeights(document);
        if (accessors.empty()) return std::nullopt;
        Converter converter(document, parts, readBuffer);
        for (const std::size_t accessor : accessors) converter.convert(accessor);
        std::string buffer = converter.takeBuffer();
        return GltfWithFloats{joined(parts, document.dump()), std::move(buffer)};
    } catch (const Json::exception&) {
    } catch (const std::out_of_range&) {
    }
    return std::nullopt;
}

}  // namespace firn
