#include "common/cache/vdb_bytes.h"

#include <openvdb/io/Archive.h>
#include <openvdb/io/Stream.h>

#include <algorithm>
#include <cstring>
#include <istream>
#include <sstream>
#include <streambuf>

#include "common/error.h"
#include "common/io/checksum.h"

namespace firn {
namespace {

// A file starts with i64 magic, u32 file version, u32 library major, u32 minor, u8 "has grid offsets", and the
// identifier as 36 characters of text (openvdb/io/Archive.cc, writeHeader).
constexpr std::size_t identifierOffset = 8 + 4 + 4 + 4 + 1;
constexpr std::size_t identifierLength = 36;

/// Gives access to the writer behind io::File. io::File itself writes only to named files and reports no error on a
/// full disk.
class MemoryArchive : public openvdb::io::Archive {
public:
    void writeTo(std::ostream& out, const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata)
    {
        setCompression(openvdb::io::COMPRESS_BLOSC | openvdb::io::COMPRESS_ACTIVE_MASK);
        setGridStatsMetadataEnabled(true);
        write(out, grids, /*seekable*/ true, metadata);
    }
};

/// A seekable view of bytes for std::istream.
class ByteBuffer : public std::streambuf {
public:
    explicit ByteBuffer(std::span<const std::byte> bytes)
    {
        char* begin = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));  // only read from
        setg(begin, begin, begin + bytes.size());
    }

protected:
    pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override
    {
        const off_type base =
            from == std::ios_base::beg ? 0 : (from == std::ios_base::cur ? gptr() : egptr()) - eback();
        return seekpos(base + offset, std::ios_base::in);
    }
    pos_type seekpos(pos_type position, std::ios_base::openmode) override
    {
        if (position < 0 || position > egptr() - eback()) return pos_type(off_type(-1));
        setg(eback(), eback() + static_cast<off_type>(position), egptr());
        return position;
    }
};

/// The identifier of a file, in the form of RFC 4122, from the checksums of the bytes before and after it.
std::string identifierFor(std::string_view bytes)
{
    const std::string digits =
        checksum(bytes.substr(0, identifierOffset)) + checksum(bytes.substr(identifierOffset + identifierLength));
    return digits.substr(0, 8) + "-" + digits.substr(8, 4) + "-" + digits.substr(12, 4) + "-" + digits.substr(16, 4) +
           "-" + digits.substr(20);
}

void verify(std::string_view bytes, const std::filesystem::path& path)
{
    if (bytes.size() < identifierOffset + identifierLength) {
        throw Error(ExitCode::File,
                    path.string() + ": " + std::to_string(bytes.size()) + " bytes, fewer than any OpenVDB file has");
    }
    if (bytes.substr(identifierOffset, identifierLength) != identifierFor(bytes)) {
        throw Error(ExitCode::File, path.string() + ": damaged, or not written by Firn");
    }
}

/// The next bytes of a file's start, or none where the start is too short.
class Reading {
public:
    explicit Reading(std::string_view rest) : m_rest(rest) {}

    std::string_view take(std::size_t count)
    {
        if (count > m_rest.size()) m_rest = {};
        const std::string_view taken = m_rest.substr(0, std::min(count, m_rest.size()));
        m_rest.remove_prefix(taken.size());
        return taken;
    }
    std::uint32_t number()
    {
        std::uint32_t value = 0;
        const std::string_view bytes = take(sizeof value);
        if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    std::string_view text() { return take(number()); }
    bool isAtEnd() const { return m_rest.empty(); }

private:
    std::string_view m_rest;
};

std::string_view textOf(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string metadataBytes(std::span<const std::byte> start, std::string_view name, std::string_view type)
{
    // u32 count; of each: name, type and value, each a u32 length and as many bytes (openvdb/MetaMap.cc, writeMeta).
    Reading reading(textOf(start));
    reading.take(identifierOffset + identifierLength);
    const std::uint32_t count = reading.number();
    for (std::uint32_t i = 0; i < count && !reading.isAtEnd(); ++i) {
        const std::string_view found = reading.text(), foundType = reading.text(), value = reading.text();
        if (found == name && foundType == type) return std::string(value);
    }
    return "";
}

bool isOwnVdb(std::span<const std::byte> bytes)
{
    return bytes.size() >= identifierOffset + identifierLength &&
           textOf(bytes).substr(identifierOffset, identifierLength) == identifierFor(textOf(bytes));
}

std::string vdbBytes(const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata)
{
    openvdb::initialize();
    std::size_t most = 1 << 20;  // compressed grids take less than they take in memory
    for (const auto& grid : grids) most += grid->memUsage();
    std::string room;
    room.reserve(most);  // a buffer that grows by doubling would need three times the memory
    std::ostringstream out(std::move(room), std::ios::binary);
    out.exceptions(std::ios::badbit | std::ios::failbit);
    MemoryArchive().writeTo(out, grids, metadata);
    std::string bytes = std::move(out).str();
    bytes.replace(identifierOffset, identifierLength, identifierFor(bytes));
    return bytes;
}

VdbContent readVdbBytes(std::span<const std::byte> bytes, const std::filesystem::path& path)
{
    verify(textOf(bytes), path);
    openvdb::initialize();
    try {
        ByteBuffer buffer(bytes);
        std::istream in(&buffer);
        openvdb::io::Stream stream(in, /*delayLoad*/ false);
        return {*stream.getGrids(), stream.getMetadata()};
    } catch (const std::exception& error) {
        throw Error(ExitCode::File, path.string() + ": " + clampText(error.what()));
    }
}

}  // namespace firn
