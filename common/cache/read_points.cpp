#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <span>

#include "common/cache/layout.h"
#include "common/cache/points_attributes.h"
#include "common/cache/points_file.h"
#include "common/cache/stats.h"
#include "common/cache/vdb_bytes.h"
#include "common/error.h"
#include "common/io/checksum.h"
#include "common/io/command_text.h"

// The members that the OpenVDB library does not contain, because its compiler inlined them. Ours need not.
template openvdb::Grid<openvdb::points::PointDataTree>::Grid(const openvdb::points::PointDataTree::ValueType&);
template openvdb::Name openvdb::Grid<openvdb::points::PointDataTree>::gridType();
template void openvdb::tree::Tree<openvdb::points::PointDataTree::RootNodeType>::getNodeLog2Dims(
    std::vector<openvdb::Index>&);

namespace firn {
namespace {

namespace fs = std::filesystem;
using namespace points_file;

void resize(ParticleFrame& frame, std::size_t count)
{
    frame.position_m.resize(count);
    frame.velocity_m_s.resize(count);
    frame.F_E.resize(count);
    frame.J_P.resize(count);
    frame.mass_kg.resize(count);
    frame.volume0_m3.resize(count);
    frame.id.resize(count);
    frame.material.resize(count);
    frame.state.resize(count);
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why)
{
    throw Error(ExitCode::File, path.string() + ": " + why);
}

/// What helps where the frame lies in a cache.
std::string remedy(const fs::path& path)
{
    const CacheLayout cache{path.parent_path()};
    if (!fs::exists(cache.statsPath()) || path.extension() != cache.framePattern().extension()) return "";
    const std::string folder = cache.folder.empty() ? "." : shellPath(cache.folder);
    return "; 'firn-sim info " + folder + "' says how to restore it";
}

/// A value of the file's metadata, from its first bytes.
std::string valueIn(const fs::path& path, std::string_view name, std::string_view type)
{
    constexpr std::size_t startBytes = 65536;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return "";  // opening a pipe would wait for its writer
    std::string start(startBytes, '\0');
    std::ifstream in(path, std::ios::binary);
    in.read(start.data(), startBytes);
    start.resize(static_cast<std::size_t>(in.gcount()));
    return metadataBytes(std::as_bytes(std::span(start)), name, type);
}

VdbContent contentOf(std::span<const std::byte> bytes, const fs::path& path)
{
    try {
        return readVdbBytes(bytes, path);
    } catch (const Error& error) {
        throw Error(error.code(), error.what() + remedy(path));
    }
}

template <class Value>
Value metadataValue(const openvdb::MetaMap& metadata, const char* name, const fs::path& path)
{
    const auto found = metadata.getMetadata<openvdb::TypedMetadata<Value>>(name);
    if (!found) refuse(path, std::string("not a frame of snow: metadata '") + name + "' is missing");
    return found->value();
}

void readLeaf(const Leaf& leaf, std::size_t first, const openvdb::math::Transform& transform, ParticleFrame& frame,
              const fs::path& path)
{
    points::AttributeHandle<openvdb::Vec3f, PositionCodec> positions(leaf.constAttributeArray("P"));
    for (auto voxel = leaf.beginValueOn(); voxel; ++voxel) {
        for (auto point = leaf.beginIndexVoxel(voxel.getCoord()); point; ++point) {
            const openvdb::Vec3d x =
                transform.indexToWorld(openvdb::Vec3d(positions.get(*point)) + voxel.getCoord().asVec3d());
            frame.position_m[first + *point] = {x.x(), x.y(), x.z()};
        }
    }
    forEachAttribute([&](const auto& attribute) {
        using A = std::decay_t<decltype(attribute)>;
        if (!attribute.set) return;
        if (!leaf.hasAttribute(attribute.name) ||
            !leaf.constAttributeArray(attribute.name).template isType<typename A::Array>()) {
            refuse(path, std::string("attribute '") + attribute.name + "' is missing or of another type");
        }
        points::AttributeHandle<typename A::Value, typename A::Codec> handle(leaf.constAttributeArray(attribute.name));
        for (openvdb::Index n = 0; n < handle.size(); ++n) attribute.set(frame, first + n, handle.get(n));
    });
}

void readPoints(const points::PointDataGrid& grid, ParticleFrame& frame, const fs::path& path)
{
    std::vector<const Leaf*> leaves;
    std::vector<std::size_t> first;
    std::size_t count = 0;
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        if (!leaf->hasAttribute("P")) refuse(path, "attribute 'P' is missing");
        leaves.push_back(leaf.getLeaf());
        first.push_back(count);
        count += leaf->constAttributeArray("P").size();
    }
    resize(frame, count);
    tbb::parallel_for(static_cast<std::size_t>(0), leaves.size(),
                      [&](std::size_t l) { readLeaf(*leaves[l], first[l], grid.constTransform(), frame, path); });
}

}  // namespace

std::string sceneHashIn(const fs::path& path) { return valueIn(path, "scene_hash", "string"); }

std::optional<int> frameNumberIn(const fs::path& path)
{
    const std::string value = valueIn(path, "frame", "int32");
    std::int32_t found = 0;
    if (value.size() != sizeof found) return std::nullopt;
    std::memcpy(&found, value.data(), sizeof found);
    return found;
}

void requireFrameNumber(const fs::path& path, int frame)
{
    const std::optional<int> found = frameNumberIn(path);
    if (found.value_or(frame) == frame) return;
    refuse(path, "holds frame " + std::to_string(*found) + ", expected frame " + std::to_string(frame) +
                     ": the file was copied or renamed" + remedy(path));
}

bool isPointsFile(const fs::path& path) { return isOwnVdb(readFile(path)); }

bool mayBeDamagedPointsFile(const fs::path& path)
{
    constexpr std::size_t metadataEnd = 4096;                             // of Firn's files
    constexpr std::array<char, 8> magic{' ', 'B', 'D', 'V', 0, 0, 0, 0};  // OpenVDB's, a 64-bit number
    std::array<char, 8> start{};
    std::ifstream(path, std::ios::binary).read(start.data(), start.size());
    if (start == std::array<char, 8>{}) return true;
    const std::size_t bytes = fs::file_size(path);
    return std::memcmp(start.data(), magic.data(), std::min(bytes, magic.size())) == 0 &&
           (bytes < metadataEnd || !sceneHashIn(path).empty());
}

ParticleFrame readPointsFile(const fs::path& path, const std::string& expectedChecksum)
{
    const std::vector<std::byte> bytes = readFile(path);
    if (!expectedChecksum.empty()) {
        const std::string found = checksum(bytes);
        if (found != expectedChecksum) {
            refuse(path, "damaged or replaced: " + otherChecksumText(expectedChecksum, found) + remedy(path));
        }
    }
    const VdbContent content = contentOf(bytes, path);
    if (content.grids.size() != 1) refuse(path, "expected one grid, found " + std::to_string(content.grids.size()));
    const auto grid = openvdb::gridPtrCast<points::PointDataGrid>(content.grids.front());
    if (!grid) refuse(path, "expected points, found a grid of type " + clampText(content.grids.front()->type()));

    ParticleFrame frame;
    frame.frame = metadataValue<std::int32_t>(*content.metadata, "frame", path);
    frame.fps = metadataValue<double>(*content.metadata, "fps", path);
    frame.time_s = metadataValue<double>(*content.metadata, "time_s", path);
    frame.dx_m = metadataValue<double>(*content.metadata, "dx_m", path);
    frame.scene_hash = metadataValue<std::string>(*content.metadata, "scene_hash", path);
    if (const auto frozen = content.metadata->getMetadata<openvdb::TypedMetadata<std::int64_t>>("frozen"))
        frame.frozen = static_cast<std::size_t>(frozen->value());
    readPoints(*grid, frame, path);
    return frame;
}

}  // namespace firn
