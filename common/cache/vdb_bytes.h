#pragma once
// OpenVDB files in memory. The same grids and metadata give the same bytes. The identifier in the header, which is
// random in files of other programs, is derived from the checksum of all other bytes: it shows any damage.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <openvdb/openvdb.h>

namespace firn {

/// The content of a file with Blosc compression and grid offsets, without the time of day. openvdb::io::File reads it.
std::string vdbBytes(const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata);

struct VdbContent {
    openvdb::GridPtrVec grids;
    openvdb::MetaMap::Ptr metadata;
};

/// Reads what vdbBytes wrote. The identifier is verified before OpenVDB gets the bytes. Throws Error(File) that names
/// `path` when they are damaged or come from another program.
VdbContent readVdbBytes(std::span<const std::byte> bytes, const std::filesystem::path& path);

/// The bytes of a value among the metadata of a file, from the file's first bytes; "" where none has this name and
/// OpenVDB's name of a type, such as "string" or "int32". Nothing is verified.
std::string metadataBytes(std::span<const std::byte> start, std::string_view name, std::string_view type);

/// Whether vdbBytes made these bytes and they are undamaged.
bool isOwnVdb(std::span<const std::byte> bytes);

}  // namespace firn
