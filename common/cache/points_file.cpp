#include "common/cache/points_file.h"

#include <openvdb/points/PointDataGrid.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <atomic>
#include <cmath>
#include <tuple>

#include "common/cache/vdb_bytes.h"
#include "common/error.h"
#include "common/io/checksum.h"

namespace firn {
namespace {

namespace fs = std::filesystem;
namespace points = openvdb::points;
using Leaf = points::PointDataTree::LeafNodeType;
using PositionCodec = points::FixedPointCodec</*one byte*/ false, points::PositionRange>;
using Half = points::TruncateCodec;

constexpr const char* grid_name = "snow";
constexpr double particles_per_voxel = 8;
constexpr std::int64_t most_leaves = 1 << 20;  // per axis on either side of the origin
constexpr std::size_t voxels_per_leaf = Leaf::SIZE;

openvdb::Vec3f vdb(const Vec3f& v) { return {v.x(), v.y(), v.z()}; }
Vec3f eigen(const openvdb::Vec3f& v) { return {v.x(), v.y(), v.z()}; }

/// One attribute besides P: its name, its value for particle i, and how to put a value back (null: derived, not read).
template <class ValueType, class CodecType = points::NullCodec>
struct Attribute {
    using Value = ValueType;
    using Codec = CodecType;
    using Array = points::TypedAttributeArray<Value, Codec>;
    const char* name;
    Value (*get)(const ParticleFrame&, std::size_t);
    void (*set)(ParticleFrame&, std::size_t, Value);
};

template <int row>
constexpr Attribute<openvdb::Vec3f, Half> elasticRow(const char* name)
{
    return {name, [](const ParticleFrame& f, std::size_t i) { return vdb(f.F_E[i].row(row).transpose()); },
            [](ParticleFrame& f, std::size_t i, openvdb::Vec3f v) { f.F_E[i].row(row) = eigen(v).transpose(); }};
}

template <auto member>
constexpr auto scalar(const char* name)
{
    return Attribute<float>{name, [](const ParticleFrame& f, std::size_t i) { return (f.*member)[i]; },
                            [](ParticleFrame& f, std::size_t i, float v) { (f.*member)[i] = v; }};
}

template <auto member>
constexpr auto integer(const char* name)
{
    using Member = typename std::decay_t<decltype(std::declval<ParticleFrame>().*member)>::value_type;
    return Attribute<std::int32_t>{
        name, [](const ParticleFrame& f, std::size_t i) { return static_cast<std::int32_t>((f.*member)[i]); },
        [](ParticleFrame& f, std::size_t i, std::int32_t v) { (f.*member)[i] = static_cast<Member>(v); }};
}

constexpr auto attributes = std::make_tuple(
    Attribute<openvdb::Vec3f, Half>{
        "v", [](const ParticleFrame& f, std::size_t i) { return vdb(f.velocity_m_s[i]); },
        [](ParticleFrame& f, std::size_t i, openvdb::Vec3f v) { f.velocity_m_s[i] = eigen(v); }},
    elasticRow<0>("F_E0"), elasticRow<1>("F_E1"), elasticRow<2>("F_E2"), scalar<&ParticleFrame::J_P>("Jp"),
    scalar<&ParticleFrame::mass_kg>("mass"), scalar<&ParticleFrame::volume0_m3>("vol0"),
    integer<&ParticleFrame::id>("id"), integer<&ParticleFrame::material>("material"),
    integer<&ParticleFrame::state>("state"),
    Attribute<float>{"pscale",
                     [](const ParticleFrame& f, std::size_t i) {
                         return std::cbrt(3 * f.volume0_m3[i] / static_cast<float>(4 * pi));
                     },
                     nullptr},
    Attribute<openvdb::Vec3f>{"Cd", [](const ParticleFrame&, std::size_t) { return openvdb::Vec3f(0.9f, 0.95f, 1.0f); },
                              nullptr});

template <class F>
void forEachAttribute(F&& f)
{
    std::apply([&](const auto&... attribute) { (f(attribute), ...); }, attributes);
}

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

// ---------------------------------------------------------------------------------------------------- writing

/// A power-free choice that depends on the snow alone: eight particles of the mean initial volume fill a voxel.
double voxelSize(const ParticleFrame& frame)
{
    double volume = 0;
    for (const float v : frame.volume0_m3) volume += v;
    if (!(volume > 0)) return frame.dx_m > 0 ? frame.dx_m : 1;
    return std::cbrt(particles_per_voxel * volume / static_cast<double>(frame.size()));
}

/// Where a particle goes: leaves and voxels in a fixed order, then by id.
struct Slot {
    std::uint64_t leaf;  // biased leaf coordinates, 21 bits each
    std::uint32_t voxel;
    std::uint32_t id;
    std::uint32_t particle;

    bool operator<(const Slot& other) const
    {
        return std::tie(leaf, voxel, id, particle) < std::tie(other.leaf, other.voxel, other.id, other.particle);
    }
};

openvdb::Coord leafOrigin(std::uint64_t key)
{
    const auto axis = [&](int shift) {
        return static_cast<int>((static_cast<std::int64_t>(key >> shift & 0x1fffff) - most_leaves) * Leaf::DIM);
    };
    return {axis(42), axis(21), axis(0)};
}

bool isFinite(const ParticleFrame& f, std::size_t i)
{
    return f.position_m[i].allFinite() && f.velocity_m_s[i].allFinite() && f.F_E[i].allFinite() &&
           std::isfinite(f.J_P[i]) && std::isfinite(f.mass_kg[i]) && std::isfinite(f.volume0_m3[i]);
}

/// The voxel whose centre is nearest.
openvdb::Coord voxelOf(const Vec3d& position_m, double voxel_m)
{
    return openvdb::Coord::round(openvdb::Vec3d(position_m.x(), position_m.y(), position_m.z()) / voxel_m);
}

std::vector<Slot> sortIntoLeaves(const ParticleFrame& frame, double voxel_m)
{
    std::vector<Slot> slots(frame.size());
    std::atomic<std::size_t> bad = frame.size();  // the first particle that cannot be written
    tbb::parallel_for(std::size_t(0), frame.size(), [&](std::size_t i) {
        const double limit = voxel_m * Leaf::DIM * (most_leaves - 1);
        if (!isFinite(frame, i) || frame.position_m[i].cwiseAbs().maxCoeff() >= limit) {
            for (std::size_t seen = bad; i < seen && !bad.compare_exchange_weak(seen, i);) {
            }
            return;
        }
        const openvdb::Coord voxel = voxelOf(frame.position_m[i], voxel_m);
        std::uint64_t key = 0;
        for (int a = 0; a < 3; ++a) key = key << 21 | static_cast<std::uint64_t>((voxel[a] >> 3) + most_leaves);
        slots[i] = {key, Leaf::coordToOffset(voxel), frame.id[i], static_cast<std::uint32_t>(i)};
    });
    if (bad < frame.size()) {
        throw Error(ExitCode::Failed, "frame " + std::to_string(frame.frame) + ": particle " +
                                          std::to_string(frame.id[bad]) +
                                          " has a value that is not finite, or lies too far from the origin");
    }
    tbb::parallel_sort(slots);
    return slots;
}

points::AttributeSet::Descriptor::Ptr makeDescriptor()
{
    using Position = points::TypedAttributeArray<openvdb::Vec3f, PositionCodec>;
    auto descriptor = points::AttributeSet::Descriptor::create(Position::attributeType());
    forEachAttribute([&](const auto& attribute) {
        using Array = typename std::decay_t<decltype(attribute)>::Array;
        descriptor = descriptor->duplicateAppend(attribute.name, Array::attributeType());
    });
    return descriptor;
}

void fillPositions(Leaf& leaf, std::span<const Slot> slots, const ParticleFrame& frame, double voxel_m)
{
    points::AttributeWriteHandle<openvdb::Vec3f, PositionCodec> handle(leaf.attributeArray("P"));
    for (std::size_t n = 0; n < slots.size(); ++n) {
        const Vec3d& x = frame.position_m[slots[n].particle];
        const openvdb::Vec3d inVoxel = openvdb::Vec3d(x.x(), x.y(), x.z()) / voxel_m - voxelOf(x, voxel_m).asVec3d();
        // The codec cuts off; half a step more makes it round to nearest.
        handle.set(static_cast<openvdb::Index>(n), openvdb::Vec3f(inVoxel + openvdb::Vec3d(0.5 / 65535)));
    }
}

std::unique_ptr<Leaf> makeLeaf(std::span<const Slot> slots, const ParticleFrame& frame, double voxel_m,
                               const points::AttributeSet::Descriptor::Ptr& descriptor)
{
    auto leaf = std::make_unique<Leaf>(leafOrigin(slots.front().leaf));
    auto set = std::make_unique<points::AttributeSet>(descriptor, static_cast<openvdb::Index>(slots.size()));
    leaf->replaceAttributeSet(set.release(), /*allowMismatchingDescriptors*/ true);
    std::vector<Leaf::ValueType> ends(voxels_per_leaf, 0);
    for (const Slot& slot : slots) ends[slot.voxel] = ends[slot.voxel] + 1;
    for (std::size_t v = 1; v < voxels_per_leaf; ++v) ends[v] = ends[v] + ends[v - 1];
    leaf->setOffsets(ends);
    fillPositions(*leaf, slots, frame, voxel_m);
    forEachAttribute([&](const auto& attribute) {
        using A = std::decay_t<decltype(attribute)>;
        points::AttributeArray& array = leaf->attributeArray(attribute.name);
        points::AttributeWriteHandle<typename A::Value, typename A::Codec> handle(array);
        for (std::size_t n = 0; n < slots.size(); ++n) {
            handle.set(static_cast<openvdb::Index>(n), attribute.get(frame, slots[n].particle));
        }
        array.compact();
    });
    return leaf;
}

points::PointDataGrid::Ptr makeGrid(const ParticleFrame& frame)
{
    const double voxel_m = voxelSize(frame);
    const std::vector<Slot> slots = sortIntoLeaves(frame, voxel_m);
    std::vector<std::size_t> starts;
    for (std::size_t n = 0; n < slots.size(); ++n) {
        if (n == 0 || slots[n].leaf != slots[n - 1].leaf) starts.push_back(n);
    }
    starts.push_back(slots.size());

    const auto descriptor = makeDescriptor();
    std::vector<std::unique_ptr<Leaf>> leaves(starts.size() - 1);
    tbb::parallel_for(std::size_t(0), leaves.size(), [&](std::size_t l) {
        const auto own = std::span(slots).subspan(starts[l], starts[l + 1] - starts[l]);
        leaves[l] = makeLeaf(own, frame, voxel_m, descriptor);
    });

    auto grid = points::PointDataGrid::create();
    for (auto& leaf : leaves) grid->tree().addLeaf(leaf.release());
    grid->setTransform(openvdb::math::Transform::createLinearTransform(voxel_m));
    grid->setName(grid_name);
    grid->setCreator("Firn " FIRN_VERSION);
    return grid;
}

openvdb::MetaMap makeMetadata(const ParticleFrame& frame)
{
    openvdb::MetaMap metadata;
    metadata.insertMeta("frame", openvdb::Int32Metadata(frame.frame));
    metadata.insertMeta("fps", openvdb::DoubleMetadata(frame.fps));
    metadata.insertMeta("time_s", openvdb::DoubleMetadata(frame.time_s));
    metadata.insertMeta("dx_m", openvdb::DoubleMetadata(frame.dx_m));
    metadata.insertMeta("scene_hash", openvdb::StringMetadata(frame.scene_hash));
    metadata.insertMeta("program", openvdb::StringMetadata("Firn " FIRN_VERSION));
    metadata.insertMeta("particles", openvdb::Int64Metadata(static_cast<std::int64_t>(frame.size())));
    return metadata;
}

// ---------------------------------------------------------------------------------------------------- reading

[[noreturn]] void refuse(const fs::path& path, const std::string& why)
{
    throw Error(ExitCode::File, path.string() + ": " + why);
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
    tbb::parallel_for(std::size_t(0), leaves.size(),
                      [&](std::size_t l) { readLeaf(*leaves[l], first[l], grid.constTransform(), frame, path); });
}

}  // namespace

std::string pointsFileBytes(const ParticleFrame& frame)
{
    openvdb::initialize();
    return vdbBytes({makeGrid(frame)}, makeMetadata(frame));
}

WrittenFile writePointsFile(const fs::path& path, const ParticleFrame& frame)
{
    return writeFileChecked(path, pointsFileBytes(frame));
}

ParticleFrame readPointsFile(const fs::path& path, const std::string& expectedChecksum)
{
    const std::vector<std::byte> bytes = readFile(path);
    if (!expectedChecksum.empty()) {
        const std::string found = checksum(bytes);
        if (found != expectedChecksum) {
            refuse(path, "damaged or replaced: its checksum is " + found + ", expected " + expectedChecksum);
        }
    }
    const VdbContent content = readVdbBytes(bytes, path);
    if (content.grids.size() != 1) refuse(path, "expected one grid, found " + std::to_string(content.grids.size()));
    const auto grid = openvdb::gridPtrCast<points::PointDataGrid>(content.grids.front());
    if (!grid) refuse(path, "expected points, found a grid of type " + clampText(content.grids.front()->type()));

    ParticleFrame frame;
    frame.frame = metadataValue<std::int32_t>(*content.metadata, "frame", path);
    frame.fps = metadataValue<double>(*content.metadata, "fps", path);
    frame.time_s = metadataValue<double>(*content.metadata, "time_s", path);
    frame.dx_m = metadataValue<double>(*content.metadata, "dx_m", path);
    frame.scene_hash = metadataValue<std::string>(*content.metadata, "scene_hash", path);
    readPoints(*grid, frame, path);
    return frame;
}

}  // namespace firn
