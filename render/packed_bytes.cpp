#include "render/packed_bytes.h"

#include <blosc.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "common/error.h"

namespace firn {

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t chunkBytes = 16 << 20;  // before compression

Bytes compress(std::span<const std::byte> bytes, std::size_t word)
{
    Bytes result(bytes.size() + BLOSC_MAX_OVERHEAD);
    const int size = blosc_compress_ctx(5, BLOSC_SHUFFLE, word, bytes.size(), bytes.data(), result.data(),
                                        result.size(), BLOSC_LZ4_COMPNAME, 0, 1);
    if (size <= 0) throw Error(ExitCode::Failed, "Blosc cannot compress " + std::to_string(bytes.size()) + " bytes");
    result.resize(static_cast<std::size_t>(size));
    return result;
}

bool decompress(const Bytes& chunk, std::span<std::byte> target)
{
    std::size_t size = 0;
    return blosc_cbuffer_validate(chunk.data(), chunk.size(), &size) == 0 && size == target.size() &&
           blosc_decompress_ctx(chunk.data(), target.data(), target.size(), 1) == static_cast<int>(size);
}

/// The bytes of chunk i.
template <class Span>
Span chunkOf(Span bytes, std::size_t i)
{
    return bytes.subspan(i * chunkBytes, std::min(chunkBytes, bytes.size() - i * chunkBytes));
}

std::size_t chunkCount(std::size_t bytes) { return (bytes + chunkBytes - 1) / chunkBytes; }

std::string chunkName(const std::string& name, std::size_t i) { return name + "." + std::to_string(i); }

}  // namespace

PackedBytes::PackedBytes(std::string name, std::span<const std::byte> bytes, std::size_t word)
    : m_name(std::move(name)), m_chunks(chunkCount(bytes.size()))
{
    tbb::parallel_for(std::size_t{0}, m_chunks.size(),
                      [&](std::size_t i) { m_chunks[i] = compress(chunkOf(bytes, i), word); });
}

void PackedBytes::addTo(CheckpointView& view) const
{
    for (std::size_t i = 0; i < m_chunks.size(); ++i) view.blocks.emplace_back(chunkName(m_name, i), m_chunks[i]);
}

std::size_t packedSize(const Checkpoint& file, const std::string& name)
{
    std::size_t sum = 0, size = 0, compressed = 0, block = 0;
    for (std::size_t i = 0;; ++i) {
        const auto found = file.blocks.find(chunkName(name, i));
        if (found == file.blocks.end()) return sum;
        if (found->second.size() < BLOSC_MIN_HEADER_LENGTH) return 0;
        blosc_cbuffer_sizes(found->second.data(), &size, &compressed, &block);
        sum += size;
    }
}

std::string unpack(const Checkpoint& file, const std::string& name, std::span<std::byte> bytes)
{
    std::vector<char> isBroken(chunkCount(bytes.size()));
    tbb::parallel_for(std::size_t{0}, isBroken.size(), [&](std::size_t i) {
        const auto found = file.blocks.find(chunkName(name, i));
        isBroken[i] = found == file.blocks.end() || !decompress(found->second, chunkOf(bytes, i));
    });
    const auto first = std::ranges::find(isBroken, 1);
    return first == isBroken.end() ? "" : chunkName(name, static_cast<std::size_t>(first - isBroken.begin()));
}

}  // namespace firn
