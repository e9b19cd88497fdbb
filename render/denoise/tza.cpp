#include "render/denoise/tza.h"

#include <Imath/half.h>

#include <cstdint>
#include <cstring>

#include "common/error.h"
#include "common/io/checked_file.h"

namespace firn {

namespace {

constexpr std::uint64_t largestFile = std::uint64_t{256} << 20;
constexpr std::uint16_t magic = 0x41D7;
constexpr int majorVersion = 2;
constexpr std::uint64_t largestTensor = std::uint64_t{1} << 26;  // values

/// Reads numbers one after the other. Throws Error(File) at the end of the data.
class TzaReader {
public:
    TzaReader(std::span<const std::byte> bytes, const std::string& name) : m_bytes(bytes), m_name(name) {}

    template <class T>
    T read()
    {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }

    std::string readText(std::size_t length)
    {
        const auto bytes = take(length);
        return {reinterpret_cast<const char*>(bytes.data()), length};
    }

    void seek(std::uint64_t offset)
    {
        if (offset > m_bytes.size()) fail("points to byte " + std::to_string(offset));
        m_offset = static_cast<std::size_t>(offset);
    }

    std::span<const std::byte> take(std::uint64_t count)
    {
        if (count > m_bytes.size() - m_offset) fail("is truncated");
        const auto result = m_bytes.subspan(m_offset, static_cast<std::size_t>(count));
        m_offset += static_cast<std::size_t>(count);
        return result;
    }

    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(ExitCode::File, m_name + ": the file " + what + " (it has " + std::to_string(m_bytes.size()) +
                                        " bytes); expected a TZA file of network weights");
    }

private:
    std::span<const std::byte> m_bytes;
    const std::string& m_name;
    std::size_t m_offset = 0;
};

std::vector<float> toFloats(std::span<const std::byte> bytes, char type)
{
    std::vector<float> values(bytes.size() / (type == 'f' ? sizeof(float) : sizeof(std::uint16_t)));
    if (type == 'f') {
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint16_t bits;
        std::memcpy(&bits, bytes.data() + i * sizeof(bits), sizeof(bits));
        values[i] = imath_half_to_float(bits);
    }
    return values;
}

Tensor readTensor(TzaReader& table, TzaReader& data)
{
    Tensor tensor;
    const int dimensions = table.read<std::uint8_t>();
    std::uint64_t count = 1;
    for (int i = 0; i < dimensions; ++i) {
        const auto size = table.read<std::uint32_t>();
        if (size < 1 || size > largestTensor || count * size > largestTensor) table.fail("has a tensor of absurd size");
        count *= size;
        tensor.shape.push_back(static_cast<int>(size));
    }
    table.readText(static_cast<std::size_t>(dimensions));
    const char type = table.read<char>();
    if (type != 'f' && type != 'h') table.fail("has values that are neither float nor half");
    data.seek(table.read<std::uint64_t>());
    tensor.values = toFloats(data.take(count * (type == 'f' ? sizeof(float) : sizeof(std::uint16_t))), type);
    return tensor;
}

}  // namespace

Tensors decodeTza(std::span<const std::byte> bytes, const std::string& name)
{
    TzaReader table(bytes, name), data(bytes, name);
    if (table.read<std::uint16_t>() != magic) table.fail("is not a TZA file");
    const int major = table.read<std::uint8_t>();
    table.read<std::uint8_t>();  // minor versions are compatible
    if (major != majorVersion) table.fail("has version " + std::to_string(major) + " of the format, not 2");
    table.seek(table.read<std::uint64_t>());
    Tensors result;
    const auto count = table.read<std::uint32_t>();
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::string tensor = table.readText(table.read<std::uint16_t>());
        result[tensor] = readTensor(table, data);
    }
    return result;
}

Tensors readTza(const std::filesystem::path& path) { return decodeTza(readFile(path, largestFile), path.string()); }

}  // namespace firn
