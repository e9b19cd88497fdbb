#pragma once
// Large arrays as blocks of a checkpoint (common/cache/checkpoint.h): "name.0", "name.1", ... of 16 MB before
// compression with Blosc.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/cache/checkpoint.h"

namespace firn {

class PackedBytes {
public:
    /// `word`: bytes of most numbers in the array; Blosc compresses their first bytes together, then the second ones.
    PackedBytes(std::string name, std::span<const std::byte> bytes, std::size_t word);

    /// The view refers to this object.
    void addTo(CheckpointView& view) const;

private:
    std::string m_name;
    std::vector<std::vector<std::byte>> m_chunks;
};

/// How many bytes the array has, as its blocks say: known before memory is taken for them. 0 where a block is broken.
std::size_t packedSize(const Checkpoint& file, const std::string& name);

/// Fills `bytes`, which has packedSize(). Returns the name of a block that is missing or broken; "": none.
std::string unpack(const Checkpoint& file, const std::string& name, std::span<std::byte> bytes);

}  // namespace firn
