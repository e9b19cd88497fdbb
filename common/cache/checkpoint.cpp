#include "common/cache/checkpoint.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "common/io/checked_file.h"
#include "common/io/checksum.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "checkpoints are written as they lie in memory");

constexpr std::string_view magic = "FIRNCHK1";
constexpr std::size_t sizeBytes = sizeof(std::uint64_t);

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

void append(std::vector<std::byte>& out, std::span<const std::byte> bytes)
{
    out.insert(out.end(), bytes.begin(), bytes.end());
}

void appendSize(std::vector<std::byte>& out, std::uint64_t value) { append(out, std::as_bytes(std::span(&value, 1))); }

void appendSized(std::vector<std::byte>& out, std::span<const std::byte> bytes)
{
    appendSize(out, bytes.size());
    append(out, bytes);
}

/// Takes pieces off the front. A piece that is longer than the rest means damage.
class CheckpointReader {
public:
    CheckpointReader(std::span<const std::byte> bytes, const fs::path& path) : m_rest(bytes), m_path(path) {}

    bool atEnd() const { return m_rest.empty(); }

    std::span<const std::byte> take(std::uint64_t count, const char* what)
    {
        if (count > m_rest.size()) {
            throw DamagedCheckpoint(m_path, std::string(what) + " has " + std::to_string(count) + " bytes, but only " +
                                                std::to_string(m_rest.size()) + " are left");
        }
        const auto taken = m_rest.first(static_cast<std::size_t>(count));
        m_rest = m_rest.subspan(static_cast<std::size_t>(count));
        return taken;
    }

    std::uint64_t takeSize(const char* what)
    {
        std::uint64_t value = 0;
        std::memcpy(&value, take(sizeBytes, what).data(), sizeBytes);
        return value;
    }

    std::string takeText(const char* what)
    {
        const auto bytes = take(takeSize(what), what);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

private:
    std::span<const std::byte> m_rest;
    const fs::path& m_path;
};

/// Checks the checksum at the end; returns the content before it.
std::span<const std::byte> verify(std::span<const std::byte> bytes, const fs::path& path)
{
    if (bytes.size() < magic.size() + 2 * sizeBytes) {
        throw DamagedCheckpoint(path,
                                "it has " + std::to_string(bytes.size()) + " bytes, fewer than any checkpoint has");
    }
    if (std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) {
        throw DamagedCheckpoint(path, "it does not start with " + std::string(magic));
    }
    const auto content = bytes.first(bytes.size() - sizeBytes);
    std::uint64_t stored = 0;
    std::memcpy(&stored, content.data() + content.size(), sizeBytes);
    const std::uint64_t found = checksum64(content);
    if (stored != found) {
        throw DamagedCheckpoint(path, "its content has the checksum " + hexDigits(found) + ", but the file ends with " +
                                          hexDigits(stored) + ": it was cut or changed");
    }
    return content;
}

}  // namespace

std::vector<std::byte> checkpointBytes(const CheckpointView& view)
{
    std::size_t total = magic.size() + 2 * sizeBytes + view.header.size();
    for (const auto& [name, data] : view.blocks) total += 2 * sizeBytes + name.size() + data.size();
    std::vector<std::byte> bytes;
    bytes.reserve(total);
    append(bytes, bytesOf(magic));
    appendSized(bytes, bytesOf(view.header));
    for (const auto& [name, data] : view.blocks) {
        appendSized(bytes, bytesOf(name));
        appendSized(bytes, data);
    }
    appendSize(bytes, checksum64(bytes));
    return bytes;
}

std::pair<std::size_t, std::string> writeCheckpoint(const fs::path& path, const CheckpointView& view)
{
    const WrittenFile file = writeFileChecked(path, checkpointBytes(view));
    return {file.bytes, file.checksum};
}

bool isCheckpoint(const fs::path& path) { return beginsWith(path, magic); }

bool isCutCheckpoint(const fs::path& path)
{
    std::error_code error;
    const std::uintmax_t bytes = fs::is_regular_file(path, error) ? fs::file_size(path, error) : magic.size();
    return !error && bytes < magic.size() && beginsWith(path, magic.substr(0, static_cast<std::size_t>(bytes)));
}

std::string readCheckpointHeader(const fs::path& path)
{
    constexpr std::uint64_t largestHeader = 1 << 24;
    if (!isCheckpoint(path)) throw DamagedCheckpoint(path, "it does not start with " + std::string(magic));
    std::ifstream file(path, std::ios::binary);
    file.seekg(magic.size());
    std::uint64_t size = 0;
    file.read(reinterpret_cast<char*>(&size), sizeBytes);
    std::string header(std::min(file ? size : 0, largestHeader), ' ');
    file.read(header.data(), static_cast<std::streamsize>(header.size()));
    if (!file || header.size() != size) throw DamagedCheckpoint(path, "its header is incomplete");
    return header;
}

Checkpoint readCheckpoint(const fs::path& path)
{
    const std::vector<std::byte> bytes = readFile(path);
    CheckpointReader reader(verify(bytes, path).subspan(magic.size()), path);
    Checkpoint checkpoint;
    checkpoint.header = reader.takeText("the header");
    while (!reader.atEnd()) {
        const std::string name = reader.takeText("a block's name");
        const auto data = reader.take(reader.takeSize("a block's size"), "a block");
        if (!checkpoint.blocks.try_emplace(name, data.begin(), data.end()).second) {
            throw DamagedCheckpoint(path, "two blocks are named '" + clampText(name) + "'");
        }
    }
    return checkpoint;
}

}  // namespace firn
