#include "render/export/vdb_volume.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetRebuild.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <memory>

#include "common/cache/vdb_bytes.h"
#include "common/instruction_set.h"
#include "common/io/checked_file.h"

namespace firn {
namespace {

constexpr int edge = DensityGrid::leafEdge;
constexpr const char* keyName = "volume_key";

static_assert(openvdb::FloatTree::LeafNodeType::DIM == edge, "leaves have the order and size of OpenVDB's");

openvdb::Coord cornerOf(LeafKey key)
{
    const Vec3i corner = leafOfKey(key) * edge;
    return {corner.x(), corner.y(), corner.z()};
}

/// A grid whose leaves are those of `density`. `fill` sets the values of one.
template <class Grid, class Fill>
typename Grid::Ptr gridOf(const DensityGrid& density, const Fill& fill)
{
    using Leaf = typename Grid::TreeType::LeafNodeType;
    std::vector<std::unique_ptr<Leaf>> leaves(density.keys.size());
    tbb::parallel_for(std::size_t{0}, leaves.size(), [&](std::size_t i) {
        leaves[i] = std::make_unique<Leaf>(cornerOf(density.keys[i]));
        fill(i, *leaves[i]);
    });
    auto grid = Grid::create();
    for (auto& leaf : leaves) grid->tree().addLeaf(leaf.release());
    grid->setTransform(openvdb::math::Transform::createLinearTransform(density.voxel_m));
    return grid;
}

openvdb::FloatGrid::Ptr fogGrid(const DensityGrid& density)
{
    auto grid = gridOf<openvdb::FloatGrid>(density, [&](std::size_t i, auto& leaf) {
        for (openvdb::Index v = 0; v < leaf.SIZE; ++v)
            if (const float value = density.leaves[i][v]; value > 0) leaf.setValueOn(v, value);
    });
    grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    grid->setName("density");
    return grid;
}

/// Where there is density. Snow at rest has no entries.
openvdb::Vec3SGrid::Ptr velocityGrid(const DensityGrid& density, const MeanField& velocity, UpAxis up)
{
    auto grid = gridOf<openvdb::Vec3SGrid>(density, [&](std::size_t i, auto& leaf) {
        for (openvdb::Index v = 0; v < leaf.SIZE; ++v) {
            if (!(density.leaves[i][v] > 0)) continue;
            const openvdb::Coord voxel = leaf.offsetToGlobalCoord(v);
            const Vec3d point = Vec3d(voxel.x(), voxel.y(), voxel.z()) * density.voxel_m;
            const Vec3f found = velocity.at(turnedFrom(up, point).cast<float>(), Vec3f::Zero());
            if (found.isZero(0)) continue;
            const Vec3f turned = turnedTo(up, found.cast<double>()).cast<float>();
            leaf.setValueOn(v, openvdb::Vec3s(turned.x(), turned.y(), turned.z()));
        }
    });
    grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    grid->setName("vel");
    return grid;
}

/// The level set at a density, negative in denser snow.
openvdb::FloatGrid::Ptr surfaceGrid(const openvdb::FloatGrid& fog, double density_kg_m3)
{
    const auto level = static_cast<float>(density_kg_m3);
    auto below = openvdb::FloatGrid::create(level);
    below->setTransform(fog.transform().copy());
    below->tree().topologyUnion(fog.tree());
    for (auto leaf = below->tree().beginLeaf(); leaf; ++leaf) {
        const auto* const source = fog.tree().probeConstLeaf(leaf->origin());
        for (openvdb::Index v = 0; v < leaf->SIZE; ++v) leaf->setValueOnly(v, level - source->getValue(v));
    }
    auto grid = openvdb::tools::levelSetRebuild(*below, 0);
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    grid->setName("surface");
    return grid;
}

openvdb::MetaMap metadataOf(const VdbVolumeSettings& settings, const VdbVolumeAbout& about)
{
    openvdb::MetaMap metadata;
    metadata.insertMeta("frame", openvdb::Int32Metadata(about.frame));
    metadata.insertMeta("fps", openvdb::DoubleMetadata(about.fps));
    metadata.insertMeta("time_s", openvdb::DoubleMetadata(about.time_s));
    metadata.insertMeta("scene_hash", openvdb::StringMetadata(about.scene_hash));
    metadata.insertMeta(keyName, openvdb::StringMetadata(about.key));
    metadata.insertMeta("program", openvdb::StringMetadata("Firn " FIRN_VERSION));
    metadata.insertMeta("instructions", openvdb::StringMetadata(instructionSet));
    metadata.insertMeta("up", openvdb::StringMetadata(settings.up == UpAxis::Y ? "y" : "z"));
    metadata.insertMeta("extinction_m2_per_kg", openvdb::DoubleMetadata(about.extinction_m2_per_kg));
    metadata.insertMeta("albedo", openvdb::Vec3DMetadata({about.albedo.x(), about.albedo.y(), about.albedo.z()}));
    metadata.insertMeta("anisotropy", openvdb::DoubleMetadata(about.anisotropy));
    return metadata;
}

}  // namespace

std::string vdbVolumeBytes(const DensityGrid& density, const MeanField& velocity, const VdbVolumeSettings& settings,
                           const VdbVolumeAbout& about)
{
    openvdb::initialize();
    const openvdb::FloatGrid::Ptr fog = fogGrid(density);
    std::vector<openvdb::GridBase::Ptr> grids{fog, velocityGrid(density, velocity, settings.up)};
    if (settings.surface_kg_m3 > 0) grids.push_back(surfaceGrid(*fog, settings.surface_kg_m3));
    for (const openvdb::GridBase::Ptr& grid : grids) {
        grid->setCreator("Firn " FIRN_VERSION);
        grid->setSaveFloatAsHalf(settings.is_half);
    }
    return vdbBytes({grids.begin(), grids.end()}, metadataOf(settings, about));
}

VolumeOrigin volumeOriginOf(const std::filesystem::path& path)
{
    const std::vector<std::byte> bytes = readFile(path);
    if (!isOwnVdb(bytes)) return {};
    const auto text = [&](const char* name) { return metadataBytes(bytes, name, "string"); };
    if (text(keyName).empty()) return {};
    return {text(keyName), text("scene_hash"), text("up")};
}

}  // namespace firn
