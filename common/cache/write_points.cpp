#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

#include "common/cache/points_attributes.h"
#include "common/cache/points_file.h"
#include "common/cache/vdb_bytes.h"
#include "common/error.h"
#include "common/leaf_key.h"

namespace firn {
namespace {

using namespace points_file;

constexpr const char* gridName = "snow";
constexpr double particlesPerVoxel = 8;
constexpr std::size_t voxelsPerLeaf = Leaf::SIZE;
constexpr std::size_t chunkSize = 8192;  // particles read at a time

/// Calls f(first particle, their frame) for all particles, chunk by chunk.
template <class F>
void forEachChunk(const ParticleSource& particles, bool parallel, const F& f)
{
    const auto visit = [&](std::size_t chunk) {
        const std::size_t first = chunk * chunkSize;
        std::vector<std::uint32_t> rows(std::min(chunkSize, particles.count - first));
        std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
        ParticleFrame frame;
        particles.read(rows, frame);
        f(first, frame);
    };
    const std::size_t chunks = (particles.count + chunkSize - 1) / chunkSize;
    if (parallel) return tbb::parallel_for(static_cast<std::size_t>(0), chunks, visit);
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) visit(chunk);
}

/// A voxel has the volume of eight particles of the mean initial volume. Its size is rounded to eighths of dx, so that
/// it depends neither on the order of the particles nor on small changes of measured volumes.
double voxelSize(const ParticleSource& particles)
{
    double volume = 0;
    forEachChunk(particles, false, [&](std::size_t, const ParticleFrame& frame) {
        for (const float v : frame.volume0_m3) volume += v;
    });
    const double dx = particles.about.dx_m > 0 ? particles.about.dx_m : 1;
    if (!(volume > 0) || !std::isfinite(volume)) return dx;
    const double eighths = 8 / dx * std::cbrt(particlesPerVoxel * volume / static_cast<double>(particles.count));
    return dx * std::max(1.0, std::round(eighths)) / 8;
}

/// The place of a particle in the file: by leaf, voxel and id.
struct Slot {
    LeafKey leaf;
    std::uint32_t voxel;
    std::uint32_t id;
    std::uint32_t row;  // in the source

    bool operator<(const Slot& other) const
    {
        return std::tie(leaf, voxel, id, row) < std::tie(other.leaf, other.voxel, other.id, other.row);
    }
};

openvdb::Coord leafOrigin(LeafKey key)
{
    const Vec3i leaf = leafOfKey(key) * static_cast<int>(Leaf::DIM);
    return {leaf.x(), leaf.y(), leaf.z()};
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

[[noreturn]] void refuse(const ParticleSource& particles, std::size_t bad)
{
    ParticleFrame one;
    const auto row = static_cast<std::uint32_t>(bad);
    particles.read(std::span(&row, 1), one);
    throw Error(ExitCode::Failed, "frame " + std::to_string(particles.about.frame) + ": particle " +
                                      std::to_string(one.id[0]) +
                                      " has a value that is not finite, or lies too far from the origin");
}

std::vector<Slot> sortIntoLeaves(const ParticleSource& particles, double voxel_m)
{
    std::vector<Slot> slots(particles.count);
    std::atomic<std::size_t> bad = particles.count;  // the first particle that cannot be written
    const double limit = voxel_m * Leaf::DIM * (leafKeyLimit - 1);
    forEachChunk(particles, true, [&](std::size_t first, const ParticleFrame& frame) {
        for (std::size_t i = 0; i < frame.size(); ++i) {
            const std::size_t row = first + i;
            if (!isFinite(frame, i) || frame.position_m[i].cwiseAbs().maxCoeff() >= limit) {
                for (std::size_t seen = bad; row < seen && !bad.compare_exchange_weak(seen, row);) {
                }
                continue;
            }
            const openvdb::Coord voxel = voxelOf(frame.position_m[i], voxel_m);
            slots[row] = {leafKey(voxel[0] >> 3, voxel[1] >> 3, voxel[2] >> 3), Leaf::coordToOffset(voxel), frame.id[i],
                          static_cast<std::uint32_t>(row)};
        }
    });
    if (bad < particles.count) refuse(particles, bad);
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

void fillPositions(Leaf& leaf, const ParticleFrame& frame, double voxel_m)
{
    points::AttributeWriteHandle<openvdb::Vec3f, PositionCodec> handle(leaf.attributeArray("P"));
    for (std::size_t n = 0; n < frame.size(); ++n) {
        const Vec3d& x = frame.position_m[n];
        const openvdb::Vec3d inVoxel = openvdb::Vec3d(x.x(), x.y(), x.z()) / voxel_m - voxelOf(x, voxel_m).asVec3d();
        // The codec cuts off; half a step more makes it round to nearest.
        handle.set(static_cast<openvdb::Index>(n), openvdb::Vec3f(inVoxel + openvdb::Vec3d(0.5 / 65535)));
    }
}

std::unique_ptr<Leaf> makeLeaf(std::span<const Slot> slots, const ParticleSource& particles, double voxel_m,
                               const points::AttributeSet::Descriptor::Ptr& descriptor)
{
    auto leaf = std::make_unique<Leaf>(leafOrigin(slots.front().leaf));
    auto set = std::make_unique<points::AttributeSet>(descriptor, static_cast<openvdb::Index>(slots.size()));
    leaf->replaceAttributeSet(set.release(), /*allowMismatchingDescriptors*/ true);
    std::vector<Leaf::ValueType> ends(voxelsPerLeaf, 0);
    for (const Slot& slot : slots) ends[slot.voxel] = ends[slot.voxel] + 1;
    for (std::size_t v = 1; v < voxelsPerLeaf; ++v) ends[v] = ends[v] + ends[v - 1];
    leaf->setOffsets(ends);
    std::vector<std::uint32_t> rows;
    for (const Slot& slot : slots) rows.push_back(slot.row);
    ParticleFrame frame;
    particles.read(rows, frame);
    fillPositions(*leaf, frame, voxel_m);
    forEachAttribute([&](const auto& attribute) {
        using A = std::decay_t<decltype(attribute)>;
        points::AttributeArray& array = leaf->attributeArray(attribute.name);
        points::AttributeWriteHandle<typename A::Value, typename A::Codec> handle(array);
        for (std::size_t n = 0; n < frame.size(); ++n)
            handle.set(static_cast<openvdb::Index>(n), attribute.get(frame, n));
        array.compact();
    });
    return leaf;
}

points::PointDataGrid::Ptr makeGrid(const ParticleSource& particles)
{
    const double voxel_m = voxelSize(particles);
    const std::vector<Slot> slots = sortIntoLeaves(particles, voxel_m);
    std::vector<std::size_t> starts;
    for (std::size_t n = 0; n < slots.size(); ++n) {
        if (n == 0 || slots[n].leaf != slots[n - 1].leaf) starts.push_back(n);
    }
    starts.push_back(slots.size());

    const auto descriptor = makeDescriptor();
    std::vector<std::unique_ptr<Leaf>> leaves(starts.size() - 1);
    tbb::parallel_for(static_cast<std::size_t>(0), leaves.size(), [&](std::size_t l) {
        const auto own = std::span(slots).subspan(starts[l], starts[l + 1] - starts[l]);
        leaves[l] = makeLeaf(own, particles, voxel_m, descriptor);
    });

    auto grid = points::PointDataGrid::create();
    for (auto& leaf : leaves) grid->tree().addLeaf(leaf.release());
    grid->setTransform(openvdb::math::Transform::createLinearTransform(voxel_m));
    grid->setName(gridName);
    grid->setCreator("Firn " FIRN_VERSION);
    return grid;
}

openvdb::MetaMap makeMetadata(const ParticleSource& particles)
{
    const ParticleFrame& frame = particles.about;
    openvdb::MetaMap metadata;
    metadata.insertMeta("frame", openvdb::Int32Metadata(frame.frame));
    metadata.insertMeta("fps", openvdb::DoubleMetadata(frame.fps));
    metadata.insertMeta("time_s", openvdb::DoubleMetadata(frame.time_s));
    metadata.insertMeta("dx_m", openvdb::DoubleMetadata(frame.dx_m));
    metadata.insertMeta("scene_hash", openvdb::StringMetadata(frame.scene_hash));
    metadata.insertMeta("program", openvdb::StringMetadata("Firn " FIRN_VERSION));
    metadata.insertMeta("particles", openvdb::Int64Metadata(static_cast<std::int64_t>(particles.count)));
    if (frame.frozen > 0)
        metadata.insertMeta("frozen", openvdb::Int64Metadata(static_cast<std::int64_t>(frame.frozen)));
    return metadata;
}

}  // namespace

std::string pointsFileBytes(const ParticleSource& particles)
{
    openvdb::initialize();
    return vdbBytes({makeGrid(particles)}, makeMetadata(particles));
}

WrittenFile writePointsFile(const std::filesystem::path& path, const ParticleSource& particles)
{
    return writeFileChecked(path, pointsFileBytes(particles));
}

WrittenFile writePointsFile(const std::filesystem::path& path, const ParticleFrame& frame)
{
    return writePointsFile(path, sourceOf(frame));
}

}  // namespace firn
