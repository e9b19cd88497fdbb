// Stanford PLY (G. Turk, The PLY Polygon File Format): a text header that lists elements and their properties, then
// their values as text or as binary of either byte order.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "common/body/mesh_file.h"
#include "common/body/text_input.h"
#include "common/error.h"

namespace firn {
namespace {

enum class Type { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };

struct Property {
    std::string name;
    Type type = Type::Float32;
    bool is_list = false;
    Type count_type = Type::Uint8;
};

struct Element {
    std::string name;
    long count = 0;
    std::vector<Property> properties;
};

struct Header {
    enum class Format { Text, Little, Big } format = Format::Text;
    std::vector<Element> elements;
};

Type typeFrom(TextInput& in)
{
    struct Name {
        std::string_view name;
        Type type;
    };
    constexpr std::array names = {
        Name{"char", Type::Int8},       Name{"int8", Type::Int8},       Name{"uchar", Type::Uint8},
        Name{"uint8", Type::Uint8},     Name{"short", Type::Int16},     Name{"int16", Type::Int16},
        Name{"ushort", Type::Uint16},   Name{"uint16", Type::Uint16},   Name{"int", Type::Int32},
        Name{"int32", Type::Int32},     Name{"uint", Type::Uint32},     Name{"uint32", Type::Uint32},
        Name{"float", Type::Float32},   Name{"float32", Type::Float32}, Name{"double", Type::Float64},
        Name{"float64", Type::Float64},
    };
    const std::string_view word = in.word();
    for (const Name& n : names)
        if (n.name == word) return n.type;
    in.failFound(word, "a type (char, uchar, short, ushort, int, uint, float, double)");
}

Property propertyFrom(TextInput& in)
{
    Property property;
    if (in.peek() == "list") {
        in.word();
        property.is_list = true;
        property.count_type = typeFrom(in);
    }
    property.type = typeFrom(in);
    property.name = in.word();
    return property;
}

Header headerFrom(TextInput& in)
{
    Header header;
    if (!in.nextLine() || in.word() != "ply") in.fail("found no \"ply\"; expected a PLY file");
    while (in.nextLine()) {
        const std::string_view word = in.word();
        if (word == "end_header") return header;
        if (word == "comment" || word == "obj_info") continue;
        if (word == "format") {
            const std::string_view name = in.word();
            if (name == "ascii")
                header.format = Header::Format::Text;
            else if (name == "binary_little_endian")
                header.format = Header::Format::Little;
            else if (name == "binary_big_endian")
                header.format = Header::Format::Big;
            else
                in.failFound(name, "ascii, binary_little_endian or binary_big_endian");
        } else if (word == "element") {
            Element element;
            element.name = in.word();
            element.count = in.integer("the count of elements", 0, meshElementLimit);
            header.elements.push_back(std::move(element));
        } else if (word == "property") {
            if (header.elements.empty()) in.fail("found a property before the first element");
            header.elements.back().properties.push_back(propertyFrom(in));
        } else {
            in.failFound(word, "a line of a PLY header");
        }
    }
    in.fail("the file ends within its header");
}

/// Reads values one after another, in any of the three formats.
class Values {
public:
    Values(const std::filesystem::path& file, const std::string& bytes, TextInput& in, Header::Format format)
        : m_file(file), m_bytes(bytes), m_in(in), m_format(format), m_position(in.position())
    {
    }

    void beginElement(const Element& element, long index)
    {
        m_element = &element;
        m_index = index;
        if (m_format == Header::Format::Text && !m_in.nextLine()) endsEarly();
    }
    double value(Type type)
    {
        if (m_format == Header::Format::Text) return m_in.number("a value");
        switch (type) {
            case Type::Int8:
                return binary<std::int8_t>();
            case Type::Uint8:
                return binary<std::uint8_t>();
            case Type::Int16:
                return binary<std::int16_t>();
            case Type::Uint16:
                return binary<std::uint16_t>();
            case Type::Int32:
                return binary<std::int32_t>();
            case Type::Uint32:
                return binary<std::uint32_t>();
            case Type::Float32:
                return binary<float>();
            case Type::Float64:
                return binary<double>();
        }
        return 0;
    }
    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(ExitCode::File, m_file.string() + ": " + clampText(m_element->name, 40) + " " +
                                        std::to_string(m_index + 1) + " of " + std::to_string(m_element->count) + ": " +
                                        what);
    }

private:
    template <class T>
    T binary()
    {
        if (m_bytes.size() - m_position < sizeof(T)) endsEarly();
        std::array<char, sizeof(T)> raw;
        std::memcpy(raw.data(), m_bytes.data() + m_position, sizeof(T));
        m_position += sizeof(T);
        const bool isNative = (m_format == Header::Format::Little) == (std::endian::native == std::endian::little);
        if (!isNative) std::reverse(raw.begin(), raw.end());
        return std::bit_cast<T>(raw);
    }
    [[noreturn]] void endsEarly() const { fail("the file ends before it"); }

    const std::filesystem::path& m_file;
    const std::string& m_bytes;
    TextInput& m_in;
    Header::Format m_format;
    std::size_t m_position;
    const Element* m_element = nullptr;
    long m_index = 0;
};

Vec3f vertexFrom(Values& values, const Element& element)
{
    Vec3d p = Vec3d::Constant(std::nan(""));
    for (const Property& property : element.properties) {
        const double count = property.is_list ? values.value(property.count_type) : 1;
        for (long i = 0; static_cast<double>(i) < count; ++i) {
            const double value = values.value(property.type);
            if (property.name == "x") p.x() = value;
            if (property.name == "y") p.y() = value;
            if (property.name == "z") p.z() = value;
        }
    }
    if (!p.allFinite()) values.fail("found no finite x, y and z");
    return p.cast<float>();
}

/// Appends the triangles of a face; skips any other element.
void addFace(Values& values, const Element& element, TriangleMesh& mesh)
{
    for (const Property& property : element.properties) {
        const bool isFace = element.name == "face" && property.is_list &&
                            (property.name == "vertex_indices" || property.name == "vertex_index");
        const double count = property.is_list ? values.value(property.count_type) : 1;
        if (isFace && (!(count >= 3) || count > 1e6)) values.fail("expected a face of 3 to 1000000 corners");
        int first = 0, last = 0;
        for (long i = 0; static_cast<double>(i) < count; ++i) {
            const double value = values.value(property.type);
            if (!isFace) continue;
            if (!(value >= 0 && value < static_cast<double>(mesh.vertices.size())))
                values.fail("found the vertex number " + std::to_string(value) + "; the file has " +
                            std::to_string(mesh.vertices.size()) + " vertices before its faces");
            const int next = static_cast<int>(value);
            if (i == 0) first = next;
            if (i >= 2) mesh.triangles.emplace_back(first, last, next);
            last = next;
        }
    }
    if (static_cast<long>(mesh.triangles.size()) > meshElementLimit) values.fail("too many triangles");
}

}  // namespace

TriangleMesh parsePly(const std::filesystem::path& file, const std::string& bytes)
{
    TextInput in(file, bytes);
    const Header header = headerFrom(in);
    Values values(file, bytes, in, header.format);
    TriangleMesh mesh;
    for (const Element& element : header.elements) {
        if (element.properties.empty()) continue;  // it takes no bytes
        for (long i = 0; i < element.count; ++i) {
            values.beginElement(element, i);
            if (element.name == "vertex")
                mesh.vertices.push_back(vertexFrom(values, element));
            else
                addFace(values, element, mesh);
        }
    }
    return mesh;
}

}  // namespace firn
