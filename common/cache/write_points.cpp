#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <span>

#include "common/cache/points_attributes.h"
#include "common/cache/points_file.h"
#include "common/cache/vdb_bytes.h"
#include "common/error.h"

namespace firn {
namespace {

using namespace points_file;

constexpr const char* grid_name = "snow";
constexpr double particles_per_voxel = 8;
constexpr std::int64_t most_leaves = 1 << 20;  // per axis on either side of the origin
constexpr std::size_t voxels_per_leaf = Leaf::SIZE;

/// Eight particles of the mean initial volume fill a voxel, in whole eighths of dx: neither the order of the particles
/// nor a measured volume that drifts changes it.
double voxelSize(const ParticleFrame& frame)
{
    double volume = 0;
    for (const float v : frame.volume0_m3) volume += v;
    const double dx = frame.dx_m > 0 ? frame.dx_m : 1;
    if (!(volume > 0) || !std::isfinite(volume)) return dx;
    const double eighths = 8 / dx * std::cbrt(particles_per_voxel * volume / static_cast<double>(frame.size()));
    return dx * std::max(1.0, std::round(eighths)) / 8;
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

}  // namespace

std::string pointsFileBytes(const ParticleFrame& frame)
{
    openvdb::initialize();
    return vdbBytes({makeGrid(frame)}, makeMetadata(frame));
}

WrittenFile writePointsFile(const std::filesystem::path& path, const ParticleFrame& frame)
{
    return writeFileChecked(path, pointsFileBytes(frame));
}

}  // namespace firn
