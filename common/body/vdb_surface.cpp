#include "common/body/vdb_surface.h"

// Reads level sets from VDB files of other programs. OpenVDB 10 reads most damaged files without an error, so the file
// is checked before (grids end within the file) and after (finite values, sizes within limits). Delayed loading is off.

#include <openvdb/io/Archive.h>
#include <openvdb/io/File.h>
#include <openvdb/io/GridDescriptor.h>
#include <openvdb/tree/LeafManager.h>
#include <tbb/parallel_reduce.h>

#include <cmath>
#include <fstream>

#include "common/body/openvdb_grids.h"
#include "common/error.h"

namespace firn {
namespace {

constexpr std::uintmax_t maxFileBytes = std::uintmax_t{8} << 30;
constexpr openvdb::Index64 maxVoxels = 500'000'000;
constexpr int maxExtentVoxels = 1 << 15;
constexpr int maxGrids = 1000;

[[noreturn]] void damaged(const std::filesystem::path& file, const std::string& what)
{
    throw Error(ExitCode::File, file.string() + ": this VDB file is damaged: " + what);
}

/// Reads the table of contents in the way of openvdb::io::File, to check that the file is as long as it must be.
class Contents : public openvdb::io::Archive {
public:
    struct Entry {
        std::string name;
        std::string type;
        openvdb::GridBase::Ptr grid;  // metadata alone
    };

    explicit Contents(const std::filesystem::path& file)
    {
        std::ifstream in(file, std::ios::binary);
        const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file));
        readHeader(in);
        setFormatVersion(in);
        setLibraryVersion(in);
        setDataCompression(in);
        openvdb::MetaMap().readMeta(in);
        if (!inputHasGridOffsets()) damaged(file, "it has no table of grids");
        const int count = readGridCount(in);
        if (!in || count < 0 || count > maxGrids) damaged(file, "found " + std::to_string(count) + " grids");
        for (int g = 0; g < count; ++g) {
            openvdb::io::GridDescriptor descriptor;
            const openvdb::GridBase::Ptr grid = descriptor.read(in);
            if (!in || !grid) damaged(file, "grid " + std::to_string(g + 1) + " cannot be read");
            if (descriptor.getEndPos() > size)
                damaged(file, "found " + std::to_string(size) + " bytes; expected at least " +
                                  std::to_string(descriptor.getEndPos()));
            descriptor.seekToGrid(in);
            readGridCompression(in);
            grid->readMeta(in);
            entries.push_back(
                {openvdb::io::GridDescriptor::nameAsString(descriptor.uniqueName()), descriptor.gridType(), grid});
            descriptor.seekToEnd(in);
        }
    }

    std::vector<Entry> entries;
};

bool isLevelSet(const Contents::Entry& entry)
{
    return entry.type == openvdb::FloatGrid::gridType() && entry.grid->getGridClass() == openvdb::GRID_LEVEL_SET;
}

/// The type of a grid's values, as people call it: "points" of "Tree_ptdataidx32_5_4_3", "float" of "Tree_float_5_4_3".
std::string valuesOf(const Contents::Entry& entry)
{
    const std::string prefix = "Tree_", &type = entry.type;
    if (!type.starts_with(prefix)) return type;
    const std::string values = type.substr(prefix.size(), type.find('_', prefix.size()) - prefix.size());
    return values.starts_with("ptdataidx") ? "points" : values;
}

std::string chooseGrid(const std::filesystem::path& file, const Contents& contents)
{
    const Contents::Entry* chosen = nullptr;
    std::string found;
    for (const Contents::Entry& entry : contents.entries) {
        const std::string className = openvdb::GridBase::gridClassToString(entry.grid->getGridClass());
        const bool hasClass = entry.grid->getGridClass() != openvdb::GRID_UNKNOWN;
        found += (found.empty() ? "'" : ", '") + entry.name + "' (" + valuesOf(entry) +
                 (hasClass ? " grid of class " + className : " grid") + ")";
        if (isLevelSet(entry) && (!chosen || entry.name == "surface")) chosen = &entry;
    }
    if (chosen) return chosen->name;
    throw Error(ExitCode::Usage, file.string() + ": found " + (found.empty() ? "no grid" : clampText(found)) +
                                     "; expected a float grid of class level set");
}

bool allFinite(const openvdb::FloatTree& tree)
{
    const openvdb::tree::LeafManager<const openvdb::FloatTree> leaves(tree);
    return tbb::parallel_reduce(
        leaves.leafRange(), true,
        [](const auto& range, bool finite) {
            for (auto leaf = range.begin(); leaf; ++leaf)
                for (openvdb::Index i = 0; i < openvdb::FloatTree::LeafNodeType::SIZE; ++i)
                    finite = finite && std::isfinite(leaf->getValue(i));
            return finite;
        },
        [](bool a, bool b) { return a && b; });
}

void checkGrid(const std::filesystem::path& file, const openvdb::FloatGrid& grid)
{
    if (grid.activeVoxelCount() == 0) damaged(file, "the level set is empty");
    if (grid.activeVoxelCount() > maxVoxels || grid.tree().activeTileCount() > maxVoxels / 512)
        damaged(file, "it lists " + std::to_string(grid.activeVoxelCount()) + " active voxels; expected at most " +
                          std::to_string(maxVoxels));
    const openvdb::Coord extent = grid.evalActiveVoxelBoundingBox().extents();
    if (extent[extent.maxIndex()] > maxExtentVoxels)
        damaged(file, "it is " + std::to_string(extent[extent.maxIndex()]) + " voxels wide; expected at most " +
                          std::to_string(maxExtentVoxels));
    const double voxel = grid.voxelSize()[0];
    if (!std::isfinite(voxel) || !(voxel > 0) || !(grid.background() > 0))
        damaged(file, "its voxel size or background is not positive");
    if (!allFinite(grid.tree())) damaged(file, "found values that are not finite");
}

void checkVelocities(const std::filesystem::path& file, const openvdb::Vec3SGrid& grid)
{
    if (grid.activeVoxelCount() > maxVoxels)
        damaged(file, "its velocities list " + std::to_string(grid.activeVoxelCount()) +
                          " active voxels; expected at most " + std::to_string(maxVoxels));
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf)
        for (openvdb::Index i = 0; i < openvdb::Vec3STree::LeafNodeType::SIZE; ++i)
            if (const openvdb::Vec3f v = leaf->getValue(i); !std::isfinite(v.x() + v.y() + v.z()))
                damaged(file, "found velocities that are not finite");
}

/// The name of the grid of velocities; empty if there is none.
std::string velocityGrid(const std::filesystem::path& file, const Contents& contents)
{
    for (const char* name : {"vel", "v", "velocity"})
        for (const Contents::Entry& entry : contents.entries) {
            if (entry.name != name) continue;
            if (entry.type == openvdb::Vec3SGrid::gridType()) return entry.name;
            throw Error(ExitCode::Usage, file.string() + ": the grid '" + entry.name + "' has values of type " +
                                             valuesOf(entry) + "; expected velocities as vectors of three floats");
        }
    return "";
}

struct Grids {
    openvdb::FloatGrid::Ptr surface;
    openvdb::Vec3SGrid::Ptr velocity;  // null where there is none, or none is wanted
};

Grids readGrids(const std::filesystem::path& file, bool wantsVelocity)
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error) throw Error(ExitCode::File, file.string() + ": " + error.message());
    if (size > maxFileBytes) throw Error(ExitCode::File, file.string() + ": more than 8 GiB");
    openvdb::initialize();
    try {
        const Contents contents(file);
        const std::string name = chooseGrid(file, contents);
        const std::string velocity = wantsVelocity ? velocityGrid(file, contents) : "";
        openvdb::io::File vdb(file.string());
        vdb.open(/*delayLoad=*/false);
        Grids grids;
        grids.surface = openvdb::gridPtrCast<openvdb::FloatGrid>(vdb.readGrid(name));
        if (!grids.surface) damaged(file, "the grid has another type than the file lists");
        checkGrid(file, *grids.surface);
        if (velocity.empty()) return grids;
        grids.velocity = openvdb::gridPtrCast<openvdb::Vec3SGrid>(vdb.readGrid(velocity));
        if (!grids.velocity) damaged(file, "the grid of velocities has another type than the file lists");
        checkVelocities(file, *grids.velocity);
        return grids;
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        throw Error(ExitCode::File, file.string() + ": cannot be read as VDB: " + clampText(e.what()));
    }
}

/// Component `axis` of a grid's vectors, trilinear at a point in voxels.
float component(const openvdb::Vec3STree& tree, const openvdb::Vec3d& at, int axis)
{
    const openvdb::Vec3d low(std::floor(at.x()), std::floor(at.y()), std::floor(at.z())), share = at - low;
    const openvdb::Coord node(static_cast<int>(low.x()), static_cast<int>(low.y()), static_cast<int>(low.z()));
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        double weight = 1;
        openvdb::Coord place = node;
        for (int a = 0; a < 3; ++a) {
            const int upper = corner >> a & 1;
            place[a] += upper;
            weight *= upper ? share[a] : 1 - share[a];
        }
        sum += weight * static_cast<double>(tree.getValue(place)[axis]);
    }
    return static_cast<float>(sum);
}

/// Components of a staggered grid lie half a voxel lower along their own axis.
Vec3f velocityAt(const openvdb::Vec3SGrid& grid, const Vec3f& point)
{
    const openvdb::Vec3d at = grid.worldToIndex(openvdb::Vec3d(point.x(), point.y(), point.z()));
    Vec3f v;
    for (int a = 0; a < 3; ++a) {
        openvdb::Vec3d place = at;
        if (grid.getGridClass() == openvdb::GRID_STAGGERED) place[a] += 0.5;
        v[a] = component(grid.tree(), place, a);
    }
    return v;
}

VdbSurface surfaceOf(const std::filesystem::path& file, const openvdb::FloatGrid::Ptr& grid)
{
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(*grid, points, quads, 0.0);

    VdbSurface surface;
    surface.voxel = grid->voxelSize()[0];
    TriangleMesh& mesh = surface.mesh;
    for (const openvdb::Vec3s& p : points) mesh.vertices.emplace_back(p.x(), p.y(), p.z());
    for (const openvdb::Vec4I& q : quads) {
        const Vec3i a(static_cast<int>(q[0]), static_cast<int>(q[1]), static_cast<int>(q[2]));
        mesh.triangles.push_back(a);
        mesh.triangles.emplace_back(a[0], a[2], static_cast<int>(q[3]));
    }
    std::erase_if(mesh.triangles, [](const Vec3i& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
    if (mesh.triangles.empty()) damaged(file, "the level set has no zero surface");
    return surface;
}

}  // namespace

VdbSurface readVdbSurface(const std::filesystem::path& file) { return surfaceOf(file, readGrids(file, false).surface); }

VdbKey readVdbKey(const std::filesystem::path& file)
{
    const Grids grids = readGrids(file, true);
    VdbKey key{surfaceOf(file, grids.surface), {}};
    if (!grids.velocity) return key;
    key.velocities.reserve(key.surface.mesh.vertices.size());
    for (const Vec3f& v : key.surface.mesh.vertices) key.velocities.push_back(velocityAt(*grids.velocity, v));
    return key;
}

}  // namespace firn
