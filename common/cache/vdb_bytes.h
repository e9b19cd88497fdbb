#pragma once
// OpenVDB files in memory. The same grids and metadata give the same bytes, and the bytes prove themselves: the
// header's identifier, random in files by others, is here derived from the checksum of all other bytes.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include <openvdb/openvdb.h>

namespace firn {

/// Serialised with Blosc compression, random access and no wall clock; io::File, Houdini and Blender read it.
std::string vdbBytes(const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata);

struct VdbContent {
    openvdb::GridPtrVec grids;
    openvdb::MetaMap::Ptr metadata;
};

/// Reads what vdbBytes wrote. The identifier is verified before OpenVDB sees the bytes; throws Error(File), naming
/// `path`, when they are damaged or come from another program.
VdbContent readVdbBytes(std::span<const std::byte> bytes, const std::filesystem::path& path);

/// Whether vdbBytes made these bytes and they are undamaged.
bool isOwnVdb(std::span<const std::byte> bytes);

}  // namespace firn
